/** Pictures of a guide's pages for the portal: WebP files in content/guides/pages. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

const widthPx = 480
/** Sheets in landscape hold smaller type. */
const landscapeWidthPx = 640

/**
 * Writes <name>-1.webp and so on for the pages of a PDF, and deletes those of earlier builds. Needs pdftoppm (Debian
 * package poppler-utils).
 * @returns the file names, cover first
 */
export async function writePages(directory: string, name: string, pdf: Uint8Array): Promise<string[]> {
  const isOurs = (file: string) => file.startsWith(`${name}-`) && /^\d+\.webp$/.test(file.slice(name.length + 1))
  for (const file of (await readdir(directory)).filter(isOurs)) await rm(join(directory, file))

  const work = await mkdtemp(join(tmpdir(), 'guide-pages-'))
  try {
    await writeFile(join(work, 'guide.pdf'), pdf)
    execFileSync('pdftoppm', ['-png', '-r', '150', 'guide.pdf', 'page'], { cwd: work })
    const images = (await readdir(work)).filter((file) => file.endsWith('.png')).sort()
    const names: string[] = []
    for (const [index, image] of images.entries()) {
      const file = `${name}-${index + 1}.webp`
      const picture = sharp(await readFile(join(work, image)))
      const { width, height } = await picture.metadata()
      const page = await picture
        .resize({ width: width > height ? landscapeWidthPx : widthPx })
        .webp({ quality: 74, effort: 6 })
        .toBuffer()
      await writeFile(join(directory, file), page)
      names.push(file)
    }
    return names
  } finally {
    await rm(work, { recursive: true })
  }
}
