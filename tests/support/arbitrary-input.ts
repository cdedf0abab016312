import fc from 'fast-check'
import { z } from 'zod'

type JsonSchema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  format?: string
  minimum?: number
  maximum?: number
}

/** Values that have broken parsers and lookups: names of properties that every object has, and limits of types. */
const hostileTexts = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '\0',
  '\ud800',
  '%',
  '1e999',
  '../..',
]
const hostile = fc.constantFrom<unknown>(...hostileTexts, null, true, -1, 2 ** 31, 2 ** 53, 1e308, [], {}, [[[]]])
const days = ['0000-01-01', '0001-01-01', '2024-02-29', '9999-12-31']
const formats: Record<string, fc.Arbitrary<unknown>> = {
  date: fc.constantFrom(...days),
  'date-time': fc.constantFrom(...days.map((day) => `${day}T00:00:00.000Z`)),
  uuid: fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-4fff-bfff-ffffffffffff'),
  email: fc.constantFrom('a@example.test', 'ü@example.test', `${'a'.repeat(64)}@example.test`),
}
const texts = fc.oneof(
  fc.constantFrom(...hostileTexts, 'a', 'issue', 'operations', 'x'.repeat(2_000), 'https://[', '# a', '{name}', '🐑'),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/**
 * Inputs of a call: about three in four parts are as its contract describes them, the others hostile. Contracts know
 * more than can be generated, such as patterns, so many inputs are rejected.
 */
export const arbitraryInput = (schema: z.ZodType): fc.Arbitrary<unknown> =>
  part(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema)

const part = (schema: JsonSchema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: asDescribed(schema) }, { weight: 1, arbitrary: hostile })

function asDescribed(schema: JsonSchema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(asDescribed))
  if (schema.allOf?.[0]) return asDescribed(schema.allOf[0])
  switch (schema.type) {
    case 'object':
      return schema.properties ? arbitraryObject(schema) : dictionary(schema)
    case 'array':
      return fc.array(part(schema.items ?? {}), {
        minLength: Math.min(schema.minItems ?? 0, 3),
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      })
    case 'string':
      return formats[schema.format ?? ''] ?? texts
    case 'integer':
    case 'number':
      return fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 2 ** 31, 0, 1, 2, 2_026)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return hostile
  }
}

const arbitraryObject = ({ properties = {}, required = [] }: JsonSchema) =>
  fc.record(Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, part(value)])), {
    requiredKeys: required,
  })

const dictionary = ({ additionalProperties }: JsonSchema) =>
  fc.dictionary(texts, part(typeof additionalProperties === 'object' ? additionalProperties : {}), { maxKeys: 3 })
