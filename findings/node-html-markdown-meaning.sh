#!/usr/bin/env bash
# node-html-markdown 2.0.0 and html-to-md 0.8.8 write text as tags and entities; the first numbers every list from 1 and breaks
# links, the second breaks code with a backtick.
#
# Text like "<b>" or "&copy;" has to be escaped in Markdown, where it's HTML (CommonMark 0.31.2, 2.5 and 6.6): an article about
# HTML loses its examples. start="3" of a list is lost (HTML, 4.4.5), though Markdown begins with any number (5.2). A quote
# in a link's title, or a space in its address, ends the link's syntax (6.3), so the source is shown. A backtick in code needs
# longer fences (6.1). marked 18.2.1 renders the results.
#
# Seen on 2026-11-30, Node 24:
#   <p>Use &lt;u&gt; here</p>                         Use <u> here             rendered: Use here
#   <p>Write &amp;copy;</p>                           Write &copy;             rendered: Write ©
#   <ol start="3"><li>Sign</li></ol>                  1. Sign
#   <a href="/a b" title="a &quot;b&quot;">x</a>      [x](/a b "a "b"")        rendered: no link
#   <code>a`b</code>                                  html-to-md `a`b`         rendered: code "a", then b`
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node-html-markdown@2.0.0 html-to-md@0.8.8 marked@18.2.1
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import htmlToMd from 'html-to-md'
import { marked } from 'marked'
import { NodeHtmlMarkdown } from 'node-html-markdown'

for (const [html, seen, rendered] of [
  ['<p>Use &lt;u&gt; here</p>', 'Use <u> here', '<p>Use <u> here</p>'],
  ['<p>Write &amp;copy;</p>', 'Write &copy;', '<p>Write &copy;</p>'],
  ['<ol start="3"><li>Sign</li></ol>', '1. Sign', '<ol>\n<li>Sign</li>\n</ol>'],
  ['<a href="/a b">x</a>', '[x](/a b)', '<p>[x](/a b)</p>'],
  ['<a href="/a" title="a &quot;b&quot;">x</a>', '[x](/a "a "b"")', '<p>[x](/a &quot;a &quot;b&quot;&quot;)</p>'],
]) {
  const found = NodeHtmlMarkdown.translate(html)
  console.log(html, '→', found, '→', marked(found).trim())
  strictEqual(found, seen)
  strictEqual(marked(found).trim(), rendered)
}
for (const [html, seen, rendered] of [
  ['<p>Use &lt;u&gt; here</p>', 'Use <u> here', '<p>Use <u> here</p>'],
  ['<p>Write &amp;copy;</p>', 'Write &copy;', '<p>Write &copy;</p>'],
  ['<p><code>a`b</code></p>', '`a`b`', '<p><code>a</code>b`</p>'],
]) {
  const found = htmlToMd(html)
  console.log(html, '→ html-to-md', found, '→', marked(found).trim())
  strictEqual(found, seen)
  strictEqual(marked(found).trim(), rendered)
}
JS
node check.mjs
echo 'unchanged: text becomes tags and entities, lists begin with 1, and links break'
