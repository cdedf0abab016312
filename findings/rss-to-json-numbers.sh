#!/usr/bin/env bash
# rss-to-json 2.1.1 makes one id of several, and dates Atom entries at the moment they're read.
#
# A guid is any text (RSS 2.0), and programs tell episodes apart by it. The library makes numbers of what looks like one:
# "1.2" and "1.20", the second and the twentieth of a season, get the same id, as "12" and "0012" do. A title "007" is 7. In
# Atom published is optional and updated isn't (RFC 4287, 4.1.2): an entry without it is published now, at every read, and
# a content of type xhtml (4.1.3) is left out. feedsmith 3.0.1 keeps all of them.
#
# Seen on 2026-11-30, Node 24:
#   <guid isPermaLink="false">1.2</guid>     1.2
#   <guid isPermaLink="false">1.20</guid>    1.2
#   <title>007</title>                       7
#   an entry updated in 2020                 published: now, no content
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent rss-to-json@2.1.1 feedsmith@3.0.1
cat >check.mjs <<'JS'
import { deepStrictEqual, ok, strictEqual } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { parseAtomFeed, parseRssFeed } from 'feedsmith'
import rssToJson from 'rss-to-json'

const itemOf = (guid, title) => `<item><guid isPermaLink="false">${guid}</guid><title>${title}</title><description>A</description></item>`
const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>A</title><link>https://a.example/</link><description>A</description>
${itemOf('1.2', '007')}${itemOf('1.20', 'Two')}${itemOf('0012', 'Three')}</channel></rss>`
const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>urn:a</id><updated>2020-01-01T00:00:00Z</updated>
<author><name>A</name></author><entry><title>One</title><id>urn:1</id><updated>2020-01-01T00:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Text</p></div></content></entry></feed>`
const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/xml')
  response.end(request.url === '/rss' ? rss : atom)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${server.address().port}`
try {
  const { items } = await rssToJson.parse(`${address}/rss`)
  console.log(items.map(({ id, title }) => [id, title]))
  deepStrictEqual(items.map(({ id }) => id), [1.2, 1.2, 12])
  strictEqual(items[0].title, 7)
  const ids = ['1.2', '1.20', '0012']
  deepStrictEqual(parseRssFeed(rss).items.map(({ guid }) => guid.value), ids)

  const [entry] = (await rssToJson.parse(`${address}/atom`)).items
  console.log(entry)
  ok(Math.abs(entry.published - Date.now()) < 60_000)
  ok(!JSON.stringify(entry).includes('Text'))
  ok(JSON.stringify(parseAtomFeed(atom).entries[0].content).includes('Text'))
} finally {
  server.close()
}
JS
node check.mjs
echo 'unchanged: ids become equal, and Atom entries are of now'
