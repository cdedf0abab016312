#!/usr/bin/env bash
# juice 12.2.0, inline-css 4.0.3 and @css-inline/css-inline 0.21.2 inline styles that are for print or for phones.
#
# The attribute media of <style> says where the styles apply (HTML, 4.2.6), as @media does inside. The inliners keep @media
# apart, and put styles of media="print" into every element's style: what is hidden on paper is hidden in the email, and
# the layout of small screens is everyone's. No reader can turn that off again. styliner 1.1.0 leaves such a <style> alone.
#
# Seen on 2026-11-30, Node 24:
#   <style media="print">p{display:none}</style><p>Ends Friday</p>       <p style="display: none;">Ends Friday</p>
#   <style>@media print{p{display:none}}</style><p>Ends Friday</p>       <p>Ends Friday</p>
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent juice@12.2.0 inline-css@4.0.3 @css-inline/css-inline@0.21.2 styliner@1.1.0
cat >check.mjs <<'JS'
import { strictEqual } from 'node:assert'
import { inline } from '@css-inline/css-inline'
import inlineCss from 'inline-css'
import juice from 'juice'
import Styliner from 'styliner'

const inliners = {
  juice: (html) => juice(html),
  'inline-css': (html) => inlineCss(html, { url: ' ' }),
  'css-inline': (html) => inline(html),
  styliner: (html) => new Styliner('.', {}).processHTML(html),
}
for (const [style, seen] of [
  ['<style media="print">p{display:none}</style>', true],
  ['<style media="(max-width:600px)">p{display:none}</style>', true],
  ['<style>@media print{p{display:none}}</style>', false],
]) {
  for (const [name, run] of Object.entries(inliners)) {
    const html = await run(`${style}<p>Ends Friday</p>`)
    const found = /<p[^>]*>Ends Friday<\/p>/.exec(html)[0]
    console.log(style, '→', name, found)
    strictEqual(/<p style="display: ?none;?">/.test(found), seen && name !== 'styliner')
  }
}
JS
node check.mjs
echo 'unchanged: styles for print are in every element'
