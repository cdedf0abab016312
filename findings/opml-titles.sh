#!/usr/bin/env bash
# opml 0.5.8 and opmltojs 0.4.14 write a title with "&" as it is, so their list isn't XML.
#
# An OPML file is XML (OPML 2.0), where "&" in text is written "&amp;" (XML 1.0, 2.4). Both packages read such a title
# and escape the attributes of the subscriptions, but not what stands in <head>. A list called "Food & Drink" can be read,
# and not once it's written again: neither by saxes 6.0.0 nor by the packages themselves.
#
# Seen on 2026-11-30, Node 24:
#   <title>Food &amp; Drink</title>        <title>Food & Drink</title>
#   text="Food &amp; Drink"                text="Food &amp; Drink"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent opml@0.5.8 opmltojs@0.4.14 saxes@6.0.0
cat >check.mjs <<'JS'
import { ok, strictEqual, throws } from 'node:assert'
import opml from 'opml'
import opmltojs from 'opmltojs'
import { SaxesParser } from 'saxes'

const list = `<?xml version="1.0"?><opml version="2.0"><head><title>Food &amp; Drink</title></head>
<body><outline text="Food &amp; Drink" type="rss" xmlUrl="https://a.example/?a=1&amp;b=2"/></body></opml>`
const readXml = (text) => new SaxesParser().write(text).close()
readXml(list)
const written = {}
opml.parse(list, (error, parsed) => (written.opml = opml.stringify(parsed)))
opmltojs.parse(list, (parsed) => (written.opmltojs = opmltojs.opmlify(parsed)))
for (const [name, text] of Object.entries(written)) {
  console.log(name, text)
  ok(text.includes('<title>Food & Drink</title>') && text.includes('<outline text="Food &amp; Drink"'))
  throws(() => readXml(text))
}
opml.parse(written.opml, (error) => ok(error))
strictEqual(Object.keys(written).length, 2)
JS
node check.mjs
echo 'unchanged: the title is not escaped'
