import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFileText } from '#server/features/publishing/documents/read-file-text.ts'
import { signIn, signUp } from './support/api.ts'
import { debianVersion, installDebian, run } from './support/packages.ts'
import type { RealPart } from './support/part.ts'
import { startServer } from './support/server.ts'

const source = `<html><body><h1>Closing checklist</h1><p>Count the till <b>twice</b> &amp; note “İlker”.</p>
  <table><tr><td>Step</td><td>Minutes</td></tr><tr><td>Café</td><td>12</td></tr></table></body></html>`

export default {
  name: 'documents',
  async install() {
    installDebian('libreoffice-writer-nogui', 'libreoffice-calc-nogui')
  },
  async run(checks) {
    checks.note(`LibreOffice ${debianVersion('libreoffice-core-nogui')}`)
    const directory = mkdtempSync(join(tmpdir(), 'front-counter-documents-'))
    const path = (name: string) => join(directory, name)
    // As the dialog of Calc proposes for a file with a byte order mark.
    const asUtf8 = '--infilter=Text - txt - csv (StarCalc):44,34,76,1'
    const convert = (file: string, to: string) => {
      const options = [
        '--headless',
        ...(file.endsWith('.csv') ? [asUtf8] : []),
        '--convert-to',
        to,
        '--outdir',
        directory,
      ]
      return run('soffice', [`-env:UserInstallation=file://${path('profile')}`, ...options, path(file)])
    }
    const server = await startServer()
    try {
      writeFileSync(path('list.html'), source)
      for (const [extension, filter] of [
        ['docx', 'docx:MS Word 2007 XML'],
        ['pdf', 'pdf:writer_web_pdf_Export'],
        ['xlsx', 'xlsx:Calc MS Excel 2007 XML'],
      ] as const) {
        await checks.check(`The words of a ${extension} that LibreOffice made are found`, async () => {
          rmSync(path(`list.${extension}`), { force: true })
          if (extension === 'xlsx')
            writeFileSync(path('list.csv'), 'Step,Minutes\n"Count the till twice & note “İlker”.",\nCafé,12\n')
          await convert(extension === 'xlsx' ? 'list.csv' : 'list.html', filter)
          const text = await readFileText(readFileSync(path(`list.${extension}`)))
          for (const words of ['Count the till twice & note “İlker”.', 'Café']) assert.ok(text.includes(words), text)
        })
      }
      await checks.check('Calc opens the export of members with names as they were written', async () => {
        const names = ['Zoë Łukasz-Ñandú', '=1+1 "Ben", Jr.', '+49 0171']
        for (const [index, name] of names.entries()) await signUp(server.url, `m${index}@example.com`, name)
        const { url } = await (await signIn(server.url, 'admin'))<{ url: string }>('admin-export-members', {
          target: { filter: {} },
        })
        writeFileSync(path('members.csv'), Buffer.from(await (await fetch(new URL(url, server.url))).arrayBuffer()))
        await convert('members.csv', 'xlsx:Calc MS Excel 2007 XML')
        const text = await readFileText(readFileSync(path('members.xlsx')))
        for (const name of names) assert.ok(text.includes(name), `${name} isn’t in\n${text}`)
        assert.match(text, /^Email\nName\n/)
      })
    } finally {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
    }
  },
} satisfies RealPart
