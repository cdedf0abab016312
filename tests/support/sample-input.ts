import fc from 'fast-check'
import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

const byFormat: Record<string, () => string> = {
  uuid: () => crypto.randomUUID(),
  email: () => 'reader@example.test',
  'date-time': () => new Date(Date.now() + 86_400_000).toISOString(),
  date: () => '2026-01-02',
}

/**
 * Minimal input that the schema accepts: the first alternative of a union, and required properties only. Properties named
 * in `known` have that value.
 */
export const sampleInput = (schema: z.ZodType, known: Record<string, unknown> = {}): unknown =>
  sample(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), known)

function sample(schema: JsonSchema, known: Record<string, unknown>): unknown {
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (first) return sample(first as JsonSchema, known)
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [
          name,
          known[name] ?? sample(schema.properties?.[name] as JsonSchema, known),
        ]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items as JsonSchema, known))
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'string':
      return sampleText(schema)
    default:
      return null
  }
}

function sampleText({ format, pattern, minLength = 1 }: JsonSchema): string {
  const known = byFormat[format ?? '']
  if (known) return known()
  if (!pattern) return 'x'.repeat(minLength)
  return fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 })[0] ?? ''
}
