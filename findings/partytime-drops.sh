#!/usr/bin/env bash
# podcast-partytime 5.0.0 drops <podcast:locked> without an owner, and titles and episodes that are a number.
#
# The attribute owner is optional, and the specification's first example has none (podcast-namespace, docs/tags/locked.md).
# The parser ignores the element without it: `locked` is missing, so a feed that forbids its import looks like one that
# says nothing. A title such as "1984" is parsed as a number and then left out because it isn't a string. If the episode
# has no description, which RSS 2.0 allows, the episode is left out. feedsmith 3.0.1 keeps all of them.
#
# Seen on 2026-11-30, Node 24:
#   <podcast:locked>yes</podcast:locked>                    locked undefined   feedsmith true
#   <podcast:locked owner="a@a.example">yes</podcast:locked>  locked true        feedsmith true
#   <title>1984</title>, with a description                 title undefined    feedsmith "1984"
#   <title>1984</title>, without one                        no episode         feedsmith "1984"
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent podcast-partytime@5.0.0 feedsmith@3.0.1
cat >check.mjs <<'JS'
import { deepStrictEqual } from 'node:assert'
import { parseRssFeed } from 'feedsmith'
import { parseFeed } from 'podcast-partytime'

const feedOf = (locked, episode) => `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
<title>A</title><link>https://a.example/</link><description>A</description>${locked}
<item><guid isPermaLink="false">1</guid>${episode}<pubDate>Mon, 02 Nov 2026 15:00:00 GMT</pubDate>
<enclosure url="https://a.example/1.mp3" length="1" type="audio/mpeg"/></item>
</channel></rss>`
const description = '<description>The book.</description>'
for (const [locked, episode, seen, other] of [
  ['<podcast:locked>yes</podcast:locked>', '<title>One</title>', [undefined, ['One']], [true, ['One']]],
  ['<podcast:locked owner="a@a.example">yes</podcast:locked>', '<title>One</title>', [true, ['One']], [true, ['One']]],
  ['', `<title>1984</title>${description}`, [undefined, [undefined]], [undefined, ['1984']]],
  ['', '<title>1984</title>', [undefined, []], [undefined, ['1984']]],
]) {
  const [feed, rss] = [parseFeed(feedOf(locked, episode)), parseRssFeed(feedOf(locked, episode))]
  const found = [feed.locked, feed.items.map(({ title }) => title)]
  const expected = [rss.podcast?.locked?.value, rss.items.map(({ title }) => title)]
  console.log(`${locked}${episode}:`, { partytime: found, feedsmith: expected })
  deepStrictEqual(found, seen)
  deepStrictEqual(expected, other)
}
JS
node check.mjs
echo 'unchanged: locked without an owner and titles that are a number are dropped'
