import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { unusedByServer } from '../../../scripts/prepare.mjs'

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url))

/** The packages that `npm start` installs. Of packages for one system, this system's. */
function packagesForRunning(): string[] {
  const { packages } = JSON.parse(readFileSync(join(installed, '.package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; link?: boolean }>
  }
  return (
    Object.entries(packages)
      // npm doesn't say that esbuild's compiled part is for development only.
      .filter(([path, entry]) => !(entry.dev || entry.devOptional || entry.link || path.includes('@esbuild/')))
      .filter(([path]) => path.startsWith('node_modules/'))
      .map(([path]) => path.slice('node_modules/'.length))
  )
}

/** The files of a package that `npm start` keeps. */
function filesOf(name: string) {
  return (
    readdirSync(join(installed, name), { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('node_modules'))
      // Of a folder that isn't kept, no file is.
      .filter(
        (path) =>
          !`${name}/${path}`.split('/').some((_, end, parts) => unusedByServer.test(parts.slice(0, end + 1).join('/'))),
      )
      .map((path) => statSync(join(installed, name, path)))
      .filter((file) => file.isFile())
  )
}

// Compiled parts are larger on other systems.
test.runIf(process.platform === 'linux')('what `npm start` installs stays small, apart from Node', () => {
  const names = packagesForRunning().filter((name) => !name.startsWith('node-'))
  const files = names.flatMap(filesOf)
  expect.soft(names.length).toBeLessThanOrEqual(252)
  expect.soft(files.length).toBeLessThanOrEqual(8_150)
  expect.soft(files.reduce((sum, { size }) => sum + size, 0) / 1e6).toBeLessThanOrEqual(165)
})

test('only packages on the list are larger than 5 MB', () => {
  const large = packagesForRunning().filter(
    (name) => !name.startsWith('node-') && filesOf(name).reduce((sum, { size }) => sum + size, 0) > 5e6,
  )
  expect(large.map((name) => name.replace(/-(linux|darwin|win32)-.*/, '')).sort()).toEqual([
    '@electric-sql/pglite',
    '@img/sharp-libvips',
    '@rolldown/binding',
    'lightningcss',
    'react-dom',
    'satori',
    'zod',
  ])
})
