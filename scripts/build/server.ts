import { relative } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Packages that stay where they are: with compiled code or files of their own, those that few servers load, and one whose
 * parts register with each other while they load, which breaks in one file: adding a passkey fails.
 */
const packagesBeside = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@simplewebauthn/server',
  'bcrypt',
  'imapflow',
  'mailparser',
  'pg-native',
  'postal-mime',
  'satori',
  'sharp',
  'unpdf',
]

/**
 * Bundles the server into dist/server, which `npm start` runs. Its modules find their files and workers by the address of
 * their source. Nothing is renamed or put on one line, so stack traces name functions and lines of a readable file.
 */
export const bundleServer = (root: string) =>
  build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    plugins: [sourceAddresses(root), asciiText()],
    ssr: { noExternal: true, external: packagesBeside },
    build: {
      ssr: 'src/server/serve.ts',
      outDir: 'dist/server',
      emptyOutDir: true,
      target: 'node24',
      minify: false,
      rolldownOptions: {
        output: { entryFileNames: 'main.js', chunkFileNames: '[name]-[hash].js', comments: false },
      },
    },
  })

/** Modules of ours name files and workers by `import.meta.url`, so it stays the address of their source. */
const sourceAddresses = (root: string): Plugin => ({
  name: 'front-counter:source-addresses',
  transform: {
    filter: { id: /\.ts$/, code: 'import.meta.url' },
    handler: (code, id) =>
      code.replaceAll(
        'import.meta.url',
        () => `new URL(${JSON.stringify(`../../${relative(root, id)}`)}, import.meta.url).href`,
      ),
  },
})

/**
 * Node keeps the text of a module at two bytes for each character if one isn't ASCII: 5 MB more here. In our `String.raw`,
 * which holds regular expressions, the escape means the character, too.
 */
const asciiText = (): Plugin => ({
  name: 'front-counter:ascii-text',
  generateBundle: (_options, files) => {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk') continue
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      )
    }
  },
})
