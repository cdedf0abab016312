import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { userRoles } from '#server/db/schema/index.ts'
import { readIssueContent } from '#server/features/publishing/documents/issue-content.ts'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import type { StoredDocument } from '#shared/contracts/publishing/publishing.ts'
import type { Block, GuideFileVersion } from '#shared/contracts/publishing/publishing-library.ts'
import { call } from '#tests/support/client-for.ts'
import { drop, openAdmin, section } from './support.ts'

let admin: Awaited<ReturnType<typeof openAdmin>>
beforeAll(async () => {
  admin = await openAdmin()
})
afterAll(() => admin.server.close())

const makeDrop = async (title: string, given: Parameters<typeof drop>[0]) => {
  const made = await admin.get<StoredDocument>('admin-create-document', { kind: 'issue', title })
  return (await admin.save(made, drop({ title, slug: made.id, ...given }))).body as unknown as StoredDocument
}
const shown = async (slug: string) =>
  (await admin.get<{ issue: FullIssue }>('weekly-drop', { slug }, admin.reader)).issue

describe('blocks', () => {
  const saveBlock = (id: string, version: number, body: string) =>
    admin.ask('admin-save-block', { id, version, title: 'How we test', body })

  test('are expanded in portal, preview and email, and change everywhere at once', async () => {
    await saveBlock('how-we-test', 0, 'We try it for a *week*.')
    const stored = await makeDrop('With blocks', {
      intro: 'First.\n\n{{block:how-we-test}}',
      sections: [section({ body: 'Then {{ block: how-we-test }}' })],
    })
    expect((await admin.publish(stored)).status).toBe(200)
    const node = createApp(admin.server.deps)
    const read = async () => {
      const answer = await call({ app: node }, 'weekly-drop', { slug: stored.id }, admin.reader.token)
      return (answer.body as { issue: FullIssue }).issue
    }
    expect((await read()).introHtml).toContain('<em>week</em>')
    expect((await read()).sections[0]?.html).toContain('Then We try it')
    const answer = await saveBlock('how-we-test', 1, `We try it for a **month**. ${'word '.repeat(700)}`)
    expect((answer.body as unknown as Block).usedIn).toEqual([{ kind: 'issue', id: stored.id, title: 'With blocks' }])
    const renewed = await read()
    expect(renewed.introHtml).toContain('<strong>month</strong>')
    expect(renewed.readingMinutes).toBe(6)
    const content = await readIssueContent(admin.server.deps.database.db, stored.id)
    expect(content.intro).toContain('**month**')
    expect(content.sections[0]).toMatchObject({
      path: expect.stringMatching(/^\/portal\/weekly-drops\/with-blocks#[0-9a-f-]{36}$/),
    })
  })

  test('that don’t exist prevent publishing, and readers never see a reference', async () => {
    const stored = await makeDrop('Unknown block', { intro: 'Before {{block:nowhere}} after' })
    expect((await admin.publish(stored)).body.problems).toEqual([
      { path: 'intro', message: 'There is no block named “nowhere”' },
    ])
    const { body } = await admin.ask('admin-preview-document', {
      kind: 'issue',
      id: stored.id,
      document: stored.document,
    })
    expect((body as unknown as { issue: FullIssue }).issue.introHtml).toBe('<p>Before  after</p>\n')
  })

  test('report edit conflicts like drops', async () => {
    await saveBlock('shared', 0, 'one')
    expect((await saveBlock('shared', 0, 'two')).body.code).toBe('name_taken')
    expect((await saveBlock('shared', 1, 'three')).status).toBe(200)
    expect(await saveBlock('shared', 1, 'four')).toMatchObject({
      status: 409,
      body: { code: 'edit_conflict', current: { version: 2, body: 'three' } },
    })
  })

  test('can’t contain blocks or foreign images, and can’t be deleted while a text uses them', async () => {
    expect((await saveBlock('nested', 0, '{{block:how-we-test}}')).status).toBe(400)
    expect((await saveBlock('nested', 0, '![x](https://elsewhere.example/x.png)')).status).toBe(400)
    expect((await admin.ask('admin-delete-block', { id: 'how-we-test' })).body.code).toBe('block_in_use')
    await saveBlock('unused', 0, 'x')
    expect((await admin.ask('admin-delete-block', { id: 'unused' })).status).toBe(200)
    expect((await admin.ask('admin-delete-block', { id: 'unused' })).status).toBe(404)
  })
})

describe('images in a text', () => {
  test('must be uploaded here and have alt text; all others stay text', async () => {
    const file = await sharp({ create: { width: 20, height: 10, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const { body } = await admin.upload('admin-upload-image', { name: 'x.png' }, file)
    const stored = await makeDrop('With pictures', {
      intro: [
        `![A "red" field](${body.path}#20x10)`,
        '![tracker](https://elsewhere.example/p.png)',
        `![](${body.path})`,
        '![odd](/media/../secret.png)',
      ].join('\n\n'),
    })
    const { issue, problems } = await admin.get<{ issue: FullIssue; problems: { message: string }[] }>(
      'admin-preview-document',
      { kind: 'issue', id: stored.id, document: stored.document },
    )
    expect(issue.introHtml.match(/<img[^>]*>/g)).toEqual([
      `<img src="${body.path}" alt="A &quot;red&quot; field" width="20" height="10" loading="lazy">`,
    ])
    expect(problems.map(({ message }) => message)).toEqual([
      'The image https://elsewhere.example/p.png isn’t one of your uploads',
      'An image has no alt text',
      'The image /media/../secret.png isn’t one of your uploads',
    ])
    const gone = `![x](/media/${'0'.repeat(64)}.png)`
    const lost = await makeDrop('Lost picture', { closing: gone })
    expect((await admin.publish(lost)).body.problems).toEqual([
      { path: 'closing', message: 'An image was deleted. Insert it again.' },
    ])
  })
})

describe('guide files', () => {
  const pdf = (text: string) => Buffer.from(`%PDF-1.7\n${text}`)
  const send = (file: Uint8Array, name = 'The Plan.pdf') =>
    admin.upload('admin-upload-guide-file', { id: 'ai-use-policy', name }, file)
  const download = async (who = admin.reader) => {
    const { url } = await admin.get<{ url: string }>('download-guide', { id: 'ai-use-policy' }, who)
    const answer = await admin.server.request(new URL(url).pathname)
    return { bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers }
  }

  test('readers get the published version, admins any, and the content file can be chosen again', async () => {
    const before = await download()
    const first = await send(pdf('first'))
    const second = await send(pdf('second'), '../../évil "name"\r\n.exe')
    expect([first.body, second.body]).toMatchObject([
      { version: 1, name: 'the-plan.pdf', format: 'PDF' },
      { version: 2, name: 'evil-name.pdf', format: 'PDF' },
    ])
    expect((await send(pdf('second'))).body.version).toBe(2)
    expect((await download()).bytes).toEqual(before.bytes)

    let stored = await admin.read('guide', 'ai-use-policy')
    const use = async (fileVersion: number | null) => {
      stored = (await admin.save(stored, { ...stored.document, fileVersion })).body as unknown as StoredDocument
      stored = (await admin.publish(stored)).body as unknown as StoredDocument
    }
    await use(2)
    const now = await download()
    expect(now.bytes.toString()).toBe('%PDF-1.7\nsecond')
    expect(now.headers.get('content-disposition')).toBe('attachment; filename="evil-name.pdf"')
    expect(now.headers.get('content-type')).toBe('application/pdf')
    const { items: files } = await admin.get<{ items: GuideFileVersion[] }>('admin-guide-files', {
      id: 'ai-use-policy',
    })
    expect(files.map(({ version }) => version)).toEqual([2, 1])
    const { url } = await admin.get<{ url: string }>('admin-guide-file-link', { id: 'ai-use-policy', version: 1 })
    expect(await (await admin.server.request(new URL(url).pathname)).text()).toBe('%PDF-1.7\nfirst')
    await use(null)
    expect((await download()).bytes).toEqual(before.bytes)
  })

  test('are detected by their bytes, whatever their name', async () => {
    const zip = (...names: string[]) => {
      const local = Buffer.from('PK\x03\x04', 'latin1')
      const entries = names.map((name) => {
        const head = Buffer.alloc(46)
        head.write('PK\x01\x02', 0, 'latin1')
        head.writeUInt16LE(name.length, 28)
        return Buffer.concat([head, Buffer.from(name)])
      })
      const directory = Buffer.concat(entries)
      const end = Buffer.alloc(22)
      end.write('PK\x05\x06', 0, 'latin1')
      end.writeUInt16LE(names.length, 10)
      end.writeUInt32LE(local.length, 16)
      return Buffer.concat([local, directory, end])
    }
    const types = '[Content_Types].xml'
    expect((await send(zip(types, 'word/document.xml'), 'x.pdf')).body).toMatchObject({
      format: 'Word',
      name: 'x.docx',
    })
    expect((await send(zip(types, 'xl/workbook.xml'))).body).toMatchObject({ format: 'Excel' })
    const endless = zip(types, 'word/document.xml')
    endless.writeUInt16LE(0xffff, endless.length - 12)
    for (const file of [
      zip('hello.txt'),
      zip(types, 'ppt/presentation.xml'),
      zip(types, 'word/document.xml', 'word/vbaProject.bin'),
      endless,
      Buffer.from('PK\x03\x04', 'latin1'),
      Buffer.from('<html>%PDF-'),
      Buffer.alloc(0),
    ]) {
      expect(await send(file)).toMatchObject({ status: 415, body: { code: 'unsupported_file' } })
    }
    expect((await admin.upload('admin-upload-guide-file', { id: 'nowhere', name: 'x' }, pdf('x'))).status).toBe(404)
  })

  test('a link to an earlier version requires staff who edit content, and stops working with the role', async () => {
    expect((await admin.ask('admin-guide-file-link', { id: 'ai-use-policy', version: 1 }, admin.reader)).status).toBe(
      403,
    )
    expect((await admin.ask('admin-guide-file-link', { id: 'ai-use-policy', version: 99 })).status).toBe(404)
    const { url } = await admin.get<{ url: string }>(
      'admin-guide-file-link',
      { id: 'ai-use-policy', version: 1 },
      admin.ben,
    )

    const open = async () => (await admin.server.request(new URL(url).pathname)).status
    const statusAs: Record<string, number> = {}
    for (const role of ['editor', 'support', 'viewer']) {
      await admin.server.database.db.update(userRoles).set({ role }).where(eq(userRoles.userId, admin.ben.id))
      statusAs[role] = await open()
    }
    expect(statusAs).toEqual({ editor: 200, support: 404, viewer: 404 })
    await admin.server.database.db.delete(userRoles).where(eq(userRoles.userId, admin.ben.id))
    expect(await open()).toBe(404)
  })
})

test('merge fields are rejected in titles and headings', async () => {
  const stored = await makeDrop('For {{first_name|you}}', {
    sections: [section({ heading: '{{ name }}, {{unknown}}' })],
  })
  expect((await admin.publish(stored)).body.problems).toEqual([
    { path: 'title', message: '“{{first_name|you}}” only works in the opening, sections and closing' },
    { path: 'sections.0.heading', message: '“{{ name }}” only works in the opening, sections and closing' },
  ])
})

test('pages show the fallback of merge fields', async () => {
  const stored = await makeDrop('By name', { intro: 'Good morning {{first_name|everyone}}, {{ unknown }}.' })
  await admin.publish(stored)
  expect((await shown(stored.id)).introHtml).toBe('<p>Good morning everyone, {{ unknown }}.</p>\n')
})

test('emails contain only published issues', async () => {
  const stored = await makeDrop('Not yet out', {})
  await expect(readIssueContent(admin.server.deps.database.db, stored.id)).rejects.toMatchObject({ code: 'not_found' })
  await admin.publish(stored)
  expect(await readIssueContent(admin.server.deps.database.db, stored.id)).toMatchObject({ title: 'Not yet out' })
  expect((await shown(stored.id)).title).toBe('Not yet out')
})
