import { expect, test } from 'vitest'
import { podcastLinks } from './podcast-links.ts'

test('a feed opens in each app by its own kind of link', () => {
  expect(podcastLinks('https://letters.example/feed/abc.1.x.rss')).toEqual([
    { label: 'Apple Podcasts', href: 'podcast://letters.example/feed/abc.1.x.rss' },
    {
      label: 'Overcast',
      href: 'overcast://x-callback-url/add?url=https%3A%2F%2Fletters.example%2Ffeed%2Fabc.1.x.rss',
    },
    { label: 'Pocket Casts', href: 'pktc://subscribe/letters.example/feed/abc.1.x.rss' },
    { label: 'AntennaPod', href: 'antennapod-subscribe://letters.example/feed/abc.1.x.rss' },
  ])
})
