import { expect, test } from 'vitest'
import { exceedsExpandedLength, expandBlocks, referencedBlockIds } from './block-references.ts'
import { imagesIn, linksIn } from './markdown-images.ts'

test.each([
  ['![A chart](/media/a.png)', 'A chart', '/media/a.png'],
  ['![A chart]( </media/a.png> "Last week")', 'A chart', '/media/a.png'],
  ['![](https://x.test/a.png "t")', '', 'https://x.test/a.png'],
])('The image %s is parsed with its alt text and URL', (markdown, alt, address) => {
  expect(imagesIn(`Before ${markdown} after`)).toEqual([{ alt, address }])
})

test('Links and images are told apart', () => {
  expect(linksIn('[a](https://a.test) ![b](/b.png) [c]()')).toEqual([
    { written: '[a](https://a.test)', isPicture: false, words: 'a', address: 'https://a.test' },
    { written: '![b](/b.png)', isPicture: true, words: 'b', address: '/b.png' },
    { written: '[c]()', isPicture: false, words: 'c', address: '' },
  ])
})

test.each([
  ['[a](https://a.test/b_(c))', ['https://a.test/b_(c)']],
  ['[a](javascript:alert(1)) [b](/b "t")', ['javascript:alert(1)', '/b']],
  ['[a](<b c) [d](e)', ['b', 'e']],
  ['[a](b(c [d](e)', ['e']],
  [String.raw`\[a\](b(1)) \[a](b) [a\](b)`, []],
  [String.raw`\\[a](b)`, ['b']],
])('The addresses in %j are %j', (markdown, addresses) => {
  expect(linksIn(markdown).map(({ address }) => address)).toEqual(addresses)
})

test('An escaped image is not an image', () => {
  expect(imagesIn(String.raw`\![a](/a.png) !\[b\](/b.png)`)).toEqual([])
})

test('A linked image is a link and an image', () => {
  expect(linksIn('[![a](/a.png)](https://a.test "video")')).toEqual([
    {
      written: '[![a](/a.png)](https://a.test "video")',
      isPicture: false,
      words: '![a](/a.png)',
      address: 'https://a.test',
    },
    { written: '![a](/a.png)', isPicture: true, words: 'a', address: '/a.png' },
  ])
})

test('A referenced block is expanded; a missing or unnamed one leaves nothing', () => {
  const text = 'a {{block:tip}} b {{ block: }} c {{block: gone }}'
  expect(referencedBlockIds(text)).toEqual(['tip', '', 'gone'])
  expect(expandBlocks(text, new Map([['tip', 'T']]))).toBe('a T b  c ')
})

test('Blocks are expanded until the text is too long, and the result says so', () => {
  const blocks = new Map([['tip', 'x'.repeat(20_000)]])
  const few = '{{block:tip}} '.repeat(4)
  const many = '{{block:tip}} '.repeat(4_000)
  expect(expandBlocks(few, blocks)).toHaveLength(4 * 20_001)
  expect(exceedsExpandedLength(few, blocks)).toBe(false)
  expect(expandBlocks(many, blocks).length).toBeLessThan(100_000)
  expect(exceedsExpandedLength(many, blocks)).toBe(true)
  expect(exceedsExpandedLength('x'.repeat(60_000), blocks)).toBe(false)
})

test.each(['[a](', '![a](', '![', '[a](x ', String.raw`[\](`, '{{block:', ' '])(
  'Ten thousand characters of %j are parsed in time',
  (unit) => {
    const text = `{{block:[a](${unit.repeat(10_000 / unit.length)}`
    const begun = performance.now()
    imagesIn(text)
    linksIn(text)
    referencedBlockIds(text)
    expect(performance.now() - begun).toBeLessThan(5_000)
  },
)
