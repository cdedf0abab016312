#!/usr/bin/env bash
# rss-parser 3.13.0 gives objects where it promises text, and leaves Atom links relative.
#
# An Atom title may be XHTML (RFC 4287, 3.1), an RSS category may have a domain (RSS 2.0), and links of an Atom feed are
# relative to xml:base (RFC 4287, 2). Such a title and such a category become objects of the XML parser, between
# categories that are texts, and the link stays as written. Its types say `title?: string` and `categories?: string[]`.
# feedparser 2.6.0 gives text and the whole address.
#
# Seen on 2026-11-30, Node 24:
#   title of type xhtml                  { "$": { "type": "xhtml" }, "div": [ … ] }
#   <category domain="x">B</category>    { "_": "B", "$": { "domain": "x" } }
#   <link href="one"/>, with xml:base    "one"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent rss-parser@3.13.0
cat >check.mjs <<'JS'
import { deepStrictEqual, strictEqual } from 'node:assert'
import Parser from 'rss-parser'

const atom = await new Parser().parseString(`<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://a.example/blog/">
<title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">A <b>b</b></div></title><id>urn:1</id><updated>2026-11-01T00:00:00Z</updated>
<entry><id>urn:2</id><title>One</title><link href="one"/><updated>2026-11-01T00:00:00Z</updated></entry></feed>`)
const rss = await new Parser().parseString(`<?xml version="1.0"?>
<rss version="2.0"><channel><title>A</title><link>https://a.example/</link><description>A</description>
<item><title>One</title><category>A</category><category domain="x">B</category></item></channel></rss>`)
const [link] = atom.items.map((item) => item.link)
const { categories } = rss.items[0]
console.log({ title: JSON.stringify(atom.title), link, categories: JSON.stringify(categories) })
strictEqual(typeof atom.title, 'object')
strictEqual(link, 'one')
deepStrictEqual(JSON.parse(JSON.stringify(categories)), ['A', { _: 'B', $: { domain: 'x' } }])
JS
node check.mjs
echo 'unchanged: titles and categories are objects, and links stay relative'
