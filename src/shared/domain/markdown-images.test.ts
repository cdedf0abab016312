import { expect, test } from 'vitest'
import { exceedsExpandedLength, expandBlocks, referencedBlockIds } from './block-references.ts'
import { imagesIn, linksIn } from './markdown-images.ts'

test.each([
  ['![A chart](/media/a.png)', 'A chart', '/media/a.png'],
  ['![A chart]( </media/a.png> "Last week")', 'A chart', '/media/a.png'],
  ['![](https://x.test/a.png "t")', '', 'https://x.test/a.png'],
])('The picture %s is read with its words and its address', (markdown, alt, address) => {
  expect(imagesIn(`Before ${markdown} after`)).toEqual([{ alt, address }])
})

test('Links and pictures are told apart', () => {
  expect(linksIn('[a](https://a.test) ![b](/b.png) [c]()')).toEqual([
    { written: '[a](https://a.test)', isPicture: false, words: 'a', address: 'https://a.test' },
    { written: '![b](/b.png)', isPicture: true, words: 'b', address: '/b.png' },
    { written: '[c]()', isPicture: false, words: 'c', address: '' },
  ])
})

test('A block that is named is set in, one that is not there or has no name leaves nothing', () => {
  const text = 'a {{block:tip}} b {{ block: }} c {{block: gone }}'
  expect(referencedBlockIds(text)).toEqual(['tip', '', 'gone'])
  expect(expandBlocks(text, new Map([['tip', 'T']]))).toBe('a T b  c ')
})

test('Blocks are set in until the text is too long, and that it is can be told', () => {
  const blocks = new Map([['tip', 'x'.repeat(20_000)]])
  const few = '{{block:tip}} '.repeat(4)
  const many = '{{block:tip}} '.repeat(4_000)
  expect(expandBlocks(few, blocks)).toHaveLength(4 * 20_001)
  expect(exceedsExpandedLength(few, blocks)).toBe(false)
  expect(expandBlocks(many, blocks).length).toBeLessThan(100_000)
  expect(exceedsExpandedLength(many, blocks)).toBe(true)
  expect(exceedsExpandedLength('x'.repeat(60_000), blocks)).toBe(false)
})

test.each(['[a](', '![a](', '![', '[a](x ', '{{block:', ' '])(
  'Ten thousand characters of %j are read in time',
  (unit) => {
    const text = `{{block:[a](${unit.repeat(10_000 / unit.length)}`
    const begun = performance.now()
    imagesIn(text)
    linksIn(text)
    referencedBlockIds(text)
    expect(performance.now() - begun).toBeLessThan(5_000)
  },
)
