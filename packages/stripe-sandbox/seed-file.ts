import type { SandboxSeed } from './options.ts'

type Shape = { [field: string]: 'text' | 'amount' | 'interval' | 'texts' | 'optional text' }

const shapes = {
  portalProduct: { prices: 'texts', product: 'text' },
  price: { id: 'text', interval: 'interval', lookupKey: 'text', product: 'text', unitAmount: 'amount' },
  product: { description: 'optional text', id: 'text', name: 'text' },
} satisfies { [kind: string]: Shape }

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

const checks: { [kind in Shape[string]]: { ok: (value: unknown) => boolean; words: string } } = {
  amount: { ok: (value) => Number.isInteger(value) && Number(value) >= 0, words: 'a whole number of cents' },
  interval: {
    ok: (value) => ['day', 'week', 'month', 'year'].includes(String(value)),
    words: 'day, week, month or year',
  },
  'optional text': { ok: (value) => value === undefined || isText(value), words: 'a string' },
  text: { ok: isText, words: 'a string' },
  texts: { ok: (value) => Array.isArray(value) && value.every(isText), words: 'a list of texts' },
}

function mapAt(value: unknown, path: string, known: string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${path} must be an object.`)
  const odd = Object.keys(value).find((key) => !known.includes(key))
  if (odd !== undefined) throw new Error(`${path} has an unknown field ${odd}; known are ${known.join(', ')}.`)
  return value as Record<string, unknown>
}

function requireAll(value: unknown, path: string, shape: Shape): void {
  if (value === undefined) return
  if (!Array.isArray(value)) throw new Error(`${path} must be a list.`)
  for (const [index, each] of value.entries()) {
    const map = mapAt(each, `${path}[${index}]`, Object.keys(shape))
    for (const [field, kind] of Object.entries(shape)) {
      const { ok, words } = checks[kind]
      if (!ok(map[field])) throw new Error(`${path}[${index}].${field} must be ${words}.`)
    }
  }
}

/**
 * Reads the file of `--seed`.
 * @throws Error with a message that names the invalid field
 */
export function readSeedFile(text: string): SandboxSeed {
  const seed = mapAt(JSON.parse(text), 'The seed', ['products', 'prices', 'portal'])
  requireAll(seed.products, 'products', shapes.product)
  requireAll(seed.prices, 'prices', shapes.price)
  if (seed.portal !== undefined) {
    const portal = mapAt(seed.portal, 'portal', ['products', 'returnUrl'])
    if (!checks.text.ok(portal.returnUrl)) throw new Error('portal.returnUrl must be a string.')
    if (portal.products === undefined) throw new Error('portal.products must be a list.')
    requireAll(portal.products, 'portal.products', shapes.portalProduct)
  }
  // The checks above guarantee this type.
  return seed as SandboxSeed
}
