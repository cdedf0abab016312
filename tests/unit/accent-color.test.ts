import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { accentStyles } from '#shared/domain/accent-colors.ts'

const client = join(import.meta.dirname, '../../src/client')
const sources = readdirSync(client, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:tsx?|css)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(client, path), 'utf8') }))

test('the publisher’s color replaces the color of buttons and links only', () => {
  const replaced = [...accentStyles('#7a1f3d').matchAll(/--([a-z-]+):/g)].map(([, name]) => name)
  expect(replaced).toEqual(['primary', 'primary-hover', 'primary-soft', 'on-primary'])
})

test('no choice, success, error or selected text has the publisher’s color', () => {
  const dressed =
    /checked:(?:border|bg|text)-primary|<CircleCheck[^>]*text-primary|\[type=(?:success|error)\][\w:-]*-primary|&:checked(?:::before)? \{[^}]*--primary|::selection \{[^}]*--primary|accent-color: var\(--primary/
  expect(sources.length).toBeGreaterThan(400)
  expect(sources.filter(({ text }) => dressed.test(text)).map(({ path }) => path)).toEqual([])
})
