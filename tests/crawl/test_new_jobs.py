"""Batches have the options of crawls."""

from webquarry.crawl.new_jobs import CrawlQuota, ListedUrls, NewJobs
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest
from webquarry.models.job_arguments import JobArguments


def test_a_batch_keeps_every_option_that_its_tool_takes() -> None:
    arguments = JobArguments(
        locale="de-DE", mobile=True, headers={"x-a": "b"}, delay=3.0, concurrency=2,
        schema={"type": "object"}, fullPage=True, imageType="webp", documents=False,
        maxDocumentBytes=5, capture=True, index=False, clientOptions={"api": "x"},
    )  # fmt: skip
    options = arguments.job_options(render=True)
    defaults = JobArguments().job_options(render=True)
    assert [name for name, value in options.items() if value == defaults[name]] == []
    wanted = CrawlRequest.model_validate({"url": "", **options})
    jobs = NewJobs(blind_host=str.encode, quota=CrawlQuota())

    job = jobs.batch(ListedUrls.read(["https://owls.test/"]), wanted, Caller(user="ada"), "")

    stored = CrawlRequest.model_validate_json(job.request)
    names = set(options)
    assert stored.model_dump(include=names) == wanted.model_dump(include=names)
