import type { Plugin } from 'vite'

/** Modules that our code refers to and never runs in the browser: zod's JSON schemas, the router's instrumentation. */
const unused =
  /\/(zod\/v4\/core\/(json-schema-processors|to-json-schema)|react-router\/.*\/router\/instrumentation)\.m?js$/

/** Leaves out what libraries can't leave out themselves, because it could be asked for while the page runs. */
export const trimLibraries = (): Plugin => ({
  name: 'front-counter:trim-libraries',
  apply: 'build',
  load: {
    filter: { id: unused },
    async handler(id) {
      return emptyFunctions(await this.fs.readFile(id, { encoding: 'utf8' }))
    },
  },
})

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
