"""Batches have the options of crawls."""

import pytest

from webquarry.crawl.new_jobs import CrawlQuota, ListedUrls, NewJobs
from webquarry.models.caller import Caller
from webquarry.models.crawl import CrawlRequest
from webquarry.models.job_arguments import JobArguments
from webquarry.models.page_steps import PageStep

# captures are refused with own headers
_OPTIONS: tuple[JobArguments, ...] = (
    JobArguments(
        locale="de-DE", mobile=True, headers={"x-a": "b"}, delay=3.0, concurrency=2,
        schema={"type": "object"}, fullPage=True, imageType="webp", documents=False,
        maxDocumentBytes=5, index=False, clientOptions={"api": "x"},
        steps=(PageStep(do="wait", value="5"),),
    ),
    JobArguments(capture=True),
)  # fmt: skip


def test_the_batches_tried_use_every_option() -> None:
    defaults = JobArguments().job_options(render=True)
    tried = [arguments.job_options(render=True) for arguments in _OPTIONS]
    changed = {name for options in tried for name in options if options[name] != defaults[name]}
    assert changed == set(defaults)


@pytest.mark.parametrize("arguments", _OPTIONS)
def test_a_batch_keeps_every_option_that_its_tool_takes(arguments: JobArguments) -> None:
    options = arguments.job_options(render=True)
    wanted = CrawlRequest.model_validate({"url": "", **options})
    jobs = NewJobs(blind_host=str.encode, quota=CrawlQuota())

    job = jobs.batch(ListedUrls.read(["https://owls.test/"]), wanted, Caller(user="ada"), "")

    stored = CrawlRequest.model_validate_json(job.request)
    names = set(options)
    assert stored.model_dump(include=names) == wanted.model_dump(include=names)
