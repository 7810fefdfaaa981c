// Calls a server with Firecrawl's JavaScript client; prints what came back as JSON.
// Arguments: the client's entry file, the base URL of the server, the URL of a site.
const [entry, apiUrl, site] = process.argv.slice(2);
const { default: Firecrawl } = require(entry);
const schema = { type: "object", properties: { title: { type: "string" } } };

async function watched(client, id) {
  const watcher = client.watcher(id, { kind: "crawl", pollInterval: 1, timeout: 60 });
  const ended = new Promise((resolve, reject) => {
    watcher.on("done", resolve);
    watcher.on("error", reject);
  });
  await watcher.start();
  const { status } = await ended;
  watcher.close();
  return status;
}

async function refusal(call) {
  try {
    await call();
    return null;
  } catch (error) {
    return { status: error.status, message: error.message };
  }
}

async function main() {
  const client = new Firecrawl({ apiKey: "fc-any", apiUrl });
  const page = await client.scrape(`${site}/p/1`, { formats: ["markdown", { type: "json", schema }] });
  const found = await client.search("owls", { limit: 2 });
  const { links } = await client.map(site);
  const crawl = await client.crawl(site, { limit: 3, pollInterval: 1, timeout: 60 });
  const batch = await client.batchScrape([`${site}/p/1`, `${site}/p/2`], { pollInterval: 1, timeout: 60 });
  const started = await client.startCrawl(site, { limit: 2 });
  const extracted = await client.extract({ urls: [`${site}/p/1`], schema, pollInterval: 1, timeout: 60 });
  console.log(JSON.stringify({
    markdown: page.markdown.split("\n")[0],
    json: page.json,
    status: page.metadata.statusCode,
    found: found.web.map((row) => row.title),
    links: links.length,
    crawl: [crawl.status, crawl.data.length],
    batch: [batch.status, batch.data.length],
    watched: await watched(client, started.id),
    extracted: extracted.data,
    credits: (await client.getCreditUsage()).remainingCredits > 0,
    refused: await refusal(() => client.scrape(`${site}/p/1`, { lockdown: true })),
  }));
  process.exit(0); // the client keeps a socket open
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
