import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Each name that the index of the icons exports, and its file: `Bell` is `bell`, and so is `LucideBell`. */
function readIconFiles(): ReadonlyMap<string, string> {
  const index = fileURLToPath(import.meta.resolve('lucide-react/dist/esm/lucide-react.mjs'))
  const lines = readFileSync(index, 'utf8').matchAll(/^export \{ (.*) \} from '\.\/icons\/(.+)\.mjs'/gm)
  return new Map(
    [...lines].flatMap(([, names = '', file = '']) =>
      [...names.matchAll(/default as (\w+)/g)].map(([, name = '']) => [name, file] as const),
    ),
  )
}

/**
 * Imports each icon from its file. The bundler would read all 1,800 icons through their index, and count each as used on every
 * page.
 */
export const directIcons = (): Plugin => {
  const files = readIconFiles()
  return {
    name: 'front-counter:direct-icons',
    apply: 'build',
    enforce: 'pre',
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
              const file = files.get(name)
              if (!file) throw new Error(`lucide-react has no icon ${name}`)
              return `import ${local} from 'lucide-react/icons/${file}';`
            })
            .join(' '),
        ),
    },
  }
}
