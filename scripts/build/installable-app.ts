import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { icoSize, toIco } from '../../src/server/http/app-icon.ts'
import { publicationDefaults as publication } from '../../src/shared/publication-defaults.ts'

/** Page backgrounds of both themes, as in index.html. */
const paper = '#f9f6f0'
const charcoal = '#1b1815'

const icons = [
  { file: 'app-icon-192.png', size: 192, purpose: 'any' },
  { file: 'app-icon-512.png', size: 512, purpose: 'any' },
  { file: 'app-icon-maskable.png', size: 512, purpose: 'maskable' },
] as const
const touchIcon = { file: 'apple-touch-icon.png', size: 180, purpose: 'maskable' } as const

const manifest = {
  id: '/portal',
  name: publication.name,
  short_name: publication.name,
  description: publication.description,
  lang: 'en-US',
  start_url: '/portal',
  scope: '/',
  display: 'standalone',
  background_color: paper,
  theme_color: paper,
  user_preferences: { color_scheme: { dark: { background_color: charcoal, theme_color: charcoal } } },
  icons: icons.map(({ file, size, purpose }) => ({
    src: `/${file}`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })),
}

/** Of the app that starts in the portal, for the landing page and the pages of members. */
export const installTags = `<link rel="manifest" href="/manifest.webmanifest"><link rel="apple-touch-icon" href="/${touchIcon.file}">`

/** Writes the web app manifest and its icons, which are the favicon in other sizes. */
export async function writeInstallableApp(client: string) {
  const favicon = await readFile(join(client, 'favicon.svg'), 'utf8')
  // Launchers cut maskable icons into their own shape, so the board fills the square.
  const fullBleed = favicon.replace(/ rx="[^"]*"/, '')
  if (fullBleed === favicon) throw new Error('favicon.svg has no rounded board')
  // 72 dpi draws the 32 px image at its own size.
  const draw = (svg: string, size: number) =>
    sharp(Buffer.from(svg), { density: (72 * size) / 32 })
      .resize(size, size)
      .png({ compressionLevel: 9 })
  await writeFile(join(client, 'favicon.ico'), toIco(await draw(favicon, icoSize).toBuffer()))
  await Promise.all([
    writeFile(join(client, 'manifest.webmanifest'), JSON.stringify(manifest)),
    ...[...icons, touchIcon].map(({ file, size, purpose }) =>
      draw(purpose === 'maskable' ? fullBleed : favicon, size).toFile(join(client, file)),
    ),
  ])
}
