import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { findTopLevelAwait } from '../../../scripts/build/top-level-await.ts'

const found = (code: string) => findTopLevelAwait(parseAst(`${code}\nexport {}`)) !== null

test.each([
  'await globalThis.ready',
  'const a=1;export{a};await a',
  'const b = { c: [await import("./c.js")] }',
  'for await (const each of items) use(each)',
  'if (ready) { try { await ready } catch {} }',
  'const load = (await import("./c.js")).load, other = async () => {}',
  'class Kept { [await name()] = 1 }',
  'await using file = open()',
])('an await outside of functions is found: %s', (code) => {
  expect(found(code)).toBe(true)
})

test.each([
  'async function load() { await ready }',
  'const load = async () => { for await (const each of items) use(each) }',
  'void (async () => await ready)()',
  'class Kept { async load() { await ready } static of = async () => await ready }',
  'const object = { async load() { await using file = open() } }',
  'const text = "await ready" // await',
])('an await in a function is none: %s', (code) => {
  expect(found(code)).toBe(false)
})
