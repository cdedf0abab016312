import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepSectionIds, type SectionBlocks } from './keep-section-ids.ts'

const section = (id: string | null, ...blocks: string[]): SectionBlocks => ({ id, blocks })

test('a new heading at the end begins a new section', () => {
  expect(keepSectionIds([section('a', 'one', 'two')], [section('a', 'one', 'two'), section(null)])).toEqual(['a', null])
})

test('the larger part of a split section keeps its id', () => {
  const before = [section('a', 'short', 'much longer')]
  expect(keepSectionIds(before, [section('a', 'short'), section(null, 'much longer')])).toEqual([null, 'a'])
  expect(keepSectionIds(before, [section('a', 'short', 'much longer'), section(null)])).toEqual(['a', null])
})

test('two joined sections get the id of the larger one', () => {
  const before = [section('a', 'short'), section('b', 'much longer'), section('c', 'c')]
  expect(keepSectionIds(before, [section('a', 'short', 'much longer'), section('c', 'c')])).toEqual(['b', 'c'])
})

test('a section that was cut and pasted elsewhere has its id again', () => {
  const before = [section('a', 'one'), section('b', 'two'), section('cut', 'three')]
  expect(keepSectionIds(before, [section(null, 'three'), section('a', 'one'), section('b', 'two')])).toEqual([
    'cut',
    'a',
    'b',
  ])
})

test('of a section and its copy, the one in its place keeps the id', () => {
  expect(keepSectionIds([section('a', 'one')], [section(null, 'one'), section('a', 'one')])).toEqual([null, 'a'])
})

test('a section whose whole text is new keeps its id', () => {
  expect(keepSectionIds([section('a', 'one')], [section('a', 'other')])).toEqual(['a'])
})

const texts = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 12 })
/** Cuts a list into sections at random places. */
function cut(blocks: readonly string[], starts: readonly boolean[]): string[][] {
  const parts: string[][] = []
  for (const [index, block] of blocks.entries()) {
    if (index === 0 || starts[index]) parts.push([block])
    else parts.at(-1)?.push(block)
  }
  return parts
}
const cuts = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 })
const sizeOf = (blocks: readonly string[]) => blocks.reduce((sum, { length }) => sum + length, 0)

test('ids are never given twice or made up, and the largest piece of all moves with its id', () => {
  fc.assert(
    fc.property(texts, cuts, cuts, fc.boolean(), (blocks, first, second, isMoved) => {
      const before = cut(blocks, first).map((part, index) => section(`s${index}`, ...part))
      const order = isMoved ? blocks.toReversed() : blocks
      const after = cut(order, second).map((part, index) => section(index === 0 ? 's0' : null, ...part))
      const ids = keepSectionIds(before, after).filter((id) => id !== null)
      expect(new Set(ids).size).toBe(ids.length)
      expect(before.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
      const pieces = before.flatMap(({ id, blocks: own }) =>
        after.map((part, index) => ({ id, index, size: sizeOf(own.filter((block) => part.blocks.includes(block))) })),
      )
      const largest = Math.max(...pieces.map(({ size }) => size))
      const kept = keepSectionIds(before, after)
      expect(pieces.some(({ id, index, size }) => size === largest && kept[index] === id)).toBe(true)
    }),
  )
})

test('a split that is joined again leaves the id it had', () => {
  fc.assert(
    fc.property(texts, fc.nat(), (blocks, at) => {
      const place = at % (blocks.length + 1)
      const halves = [section('a', ...blocks.slice(0, place)), section(null, ...blocks.slice(place))]
      const [one, other] = keepSectionIds([section('a', ...blocks)], halves).map((id) => id ?? 'new')
      const split = [section(one ?? null, ...blocks.slice(0, place)), section(other ?? null, ...blocks.slice(place))]
      expect(keepSectionIds(split, [section(one ?? null, ...blocks)])).toEqual(['a'])
    }),
  )
})
