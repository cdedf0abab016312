#!/usr/bin/env bash
# feed 6.0.0 announces Atom titles and summaries as HTML without escaping them.
#
# With type="html" a reader parses the text as HTML (RFC 4287, 3.1.1.2), so a title has to be escaped once more. The library
# puts it into CDATA as it is: "P&L: use <table>" is announced as a table without a name. Readers show "P: use" or drop
# what follows "<", while the RSS and JSON feeds of the same library keep the title.
#
# Seen on 2026-11-28, Node 24:
#   <title type="html"><![CDATA[P&L: use <table>]]></title>
#   <summary type="html"><![CDATA[x < 5 & y]]></summary>
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent feed@6.0.0
cat >check.mjs <<'JS'
import { ok } from 'node:assert'
import { Feed } from 'feed'

const feed = new Feed({ id: 'https://a.example/', title: 'A', link: 'https://a.example/', copyright: 'A' })
const link = 'https://a.example/1'
feed.addItem({ id: link, link, title: 'P&L: use <table>', description: 'x < 5 & y', date: new Date(0) })
const atom = feed.atom1()
for (const seen of [
  '<title type="html"><![CDATA[P&L: use <table>]]></title>',
  '<summary type="html"><![CDATA[x < 5 & y]]></summary>',
]) {
  console.log(seen)
  ok(atom.includes(seen), atom)
}
JS
node check.mjs
echo 'unchanged: titles and summaries are announced as HTML and not escaped'
