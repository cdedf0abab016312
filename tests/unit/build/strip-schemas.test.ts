import { parseAst } from 'vite'
import { expect, test } from 'vitest'
import { withoutSchemas } from '../../../scripts/build/strip-schemas.ts'

const strip = (code: string) => withoutSchemas(code, parseAst(code))

const contract = `import { z } from 'zod'
import { defineCall } from './define-call.js'
import { itemSchema } from './items.js'
export const maxItems = 20
export const nameSchema = z.string().max(60)
export const saveItemCall = defineCall({
  name: 'save-item',
  audience: 'subscriber',
  input: itemSchema.extend({ saved: z.boolean() }),
  output: z.object({ input: z.string() }),
})
`

test('a call keeps its name and audience, and loses its schemas', () => {
  const stripped = strip(contract)
  expect(stripped).toContain("name: 'save-item',\n  audience: 'subscriber',\n  input: undefined,\n  output: undefined,")
  expect(stripped).toContain('export const maxItems = 20')
})

test('a schema of another contract is no longer imported for a call alone', () => {
  expect(strip(contract)).not.toContain('itemSchema')
  expect(strip(`${contract}export const listSchema = z.array(itemSchema)\n`)).toContain(
    "import { itemSchema } from './items.js'",
  )
})

test('other schemas stay for forms, marked so that unused ones are left out', () => {
  expect(strip(contract)).toContain('nameSchema = /* @__PURE__ */ (() => (z.string().max(60)))()')
})
