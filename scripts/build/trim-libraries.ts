import type { Plugin } from 'vite'

/**
 * Modules that our code refers to and never runs in the browser: zod's JSON schemas, the router's instrumentation, and
 * its prefetching of pages that a server renders.
 */
const unused =
  /\/(zod\/v4\/core\/(json-schema-processors|to-json-schema)|react-router\/.*\/(router\/instrumentation|dom\/ssr\/(links|routeModules|single-fetch)))\.m?js$/

/** Leaves out what libraries can't leave out themselves, because it could be asked for while the page runs. */
export const trimLibraries = (): Plugin => ({
  name: 'front-counter:trim-libraries',
  apply: 'build',
  load: {
    filter: { id: [unused, zodTypes] },
    async handler(id) {
      const source = await this.fs.readFile(id, { encoding: 'utf8' })
      return zodTypes.test(id) ? trimZodTypes(source) : emptyFunctions(source)
    },
  },
})

const zodTypes = /\/zod\/v4\/core\/schemas\.js$/

/** Types of zod that no contract uses. Creating one in the browser throws, so that a new contract can't fail silently. */
const unusedTypes =
  'Base64 Base64URL BigInt BigIntFormat CIDRv4 CIDRv6 CUID CUID2 CreditCard E164 Emoji File Function IBAN IPv4 IPv6 JWT KSUID MAC Map NaN NanoID Promise Set Success Symbol TemplateLiteral ULID Void XID Xor'.split(
    ' ',
  )

/** zod's types without those that aren't used. Each refers to code of its own, such as the check of a credit card. */
export const trimZodTypes = (source: string): string =>
  unusedTypes
    .reduce((text, name) => {
      const type = new RegExp(`^export const \\$Zod${name} = .*core\\.\\$constructor\\([^]*?^\\}\\);$`, 'm')
      if (!type.test(text)) throw new Error(`zod has no type ${name} to leave out`)
      return text.replace(type, () => `export const $Zod${name} = leftOut("$Zod${name}")`)
    }, source)
    .concat(`
function leftOut(name) {
  return core.$constructor(name, () => {
    throw new Error(name + " is left out of the browser's zod (trim-libraries.ts)")
  })
}
`)

/** A module with the same exports, none of which does anything. */
export function emptyFunctions(source: string): string {
  const declared = [...source.matchAll(/^export (?:async )?(?:function|const|let) (\w+)/gm)].map(([, name]) => name)
  const listed = [...source.matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) =>
      name
        .trim()
        .split(/\s+as\s+/)
        .at(-1),
    )
    .filter(Boolean)
  return `const none = () => undefined\nexport { ${[...declared, ...listed].map((name) => `none as ${name}`).join(', ')} }\n`
}
