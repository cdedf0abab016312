import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

/** Shapes of all icons as SVG. lucide-react has the same icons in 4,800 files; only its types are used. */
const { icons, aliases } = createRequire(import.meta.url)('@iconify-json/lucide/icons.json') as {
  icons: Record<string, { body: string }>
  aliases: Record<string, { parent: string }>
}
const prefix = 'virtual:icon/'

/** The module of one icon. `Settings2` is `settings-2` in the package. */
export function iconModule(name: string): string {
  const key = name.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase()
  const body = icons[aliases[key]?.parent ?? key]?.body
  if (!body) throw new Error(`There is no icon ${name}`)
  const shapes = [...body.matchAll(/<(\w+)([^>]*)\/>/g)].map(([, tag, attributes = '']) => [
    tag,
    // The element around them has what is left out.
    Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)]
        .map(([, attribute = '', value]) => [attribute, value] as const)
        .filter(([attribute, value]) => !attribute.startsWith('stroke') && value !== 'none'),
    ),
  ])
  return `import { createIcon } from '#client/ui/create-icon.ts'\nexport default /* @__PURE__ */ createIcon(${JSON.stringify(shapes)})`
}

/** Imports each icon that a file names from a module of its own, so that it is in the chunk of its page. */
export const directIcons = (): Plugin => ({
  name: 'front-counter:direct-icons',
  enforce: 'pre',
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : null),
  load: (id) => (id.startsWith(`\0${prefix}`) ? iconModule(id.slice(prefix.length + 1)) : null),
  transform: {
    filter: { id: /\.tsx?$/, code: "from 'lucide-react'" },
    handler: (code) =>
      code.replaceAll(/^import \{([^}]*)\} from 'lucide-react'$/gm, (_statement, list: string) =>
        list
          .split(',')
          .map((part) => part.trim())
          .filter((part) => part !== '' && !part.startsWith('type '))
          .map((part) => {
            const [name = '', local = name] = part.split(' as ')
            return `import ${local} from '${prefix}${name}';`
          })
          .join(' '),
      ),
  },
})
