#!/usr/bin/env bash
# unfurl.js 6.4.0 refuses pages of the type application/xhtml+xml, and says that it expected that type.
#
# With text/html the same page is read. The error names both types as expected, so whoever looks at it searches for the
# fault at the server, which sends one of them.
#
# Seen on 2026-11-30, Node 24:
#   text/html              title "A page"
#   application/xhtml+xml  Wrong content type header - "text/html" or "application/xhtml+xml" was expected
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent unfurl.js@6.4.0
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { createServer } from 'node:http'
import { unfurl } from 'unfurl.js'

const page = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A page</title></head><body><p>A</p></body></html>'
const server = createServer(({ url }, response) => {
  response.setHeader('content-type', url === '/html' ? 'text/html' : 'application/xhtml+xml')
  response.end(page)
}).listen(0, '127.0.0.1', async () => {
  const seen = {}
  for (const path of ['html', 'xhtml']) {
    const address = `http://127.0.0.1:${server.address().port}/${path}`
    seen[path] = await unfurl(address).then(({ title }) => title, ({ message }) => message)
  }
  console.log(seen)
  strictEqual(seen.html, 'A page')
  strictEqual(seen.xhtml, 'Wrong content type header - "text/html" or "application/xhtml+xml" was expected')
  process.exit()
})
JS
node check.mjs
echo 'unchanged: the type that is expected is refused'
