import { expect, test } from 'vitest'
import { createFetchFile } from '#server/features/operations/post-import/fetch-file.ts'
import type { openPostThread } from '#server/features/operations/post-import/open-post-thread.ts'
import { createPostThreadCalls } from '#server/features/operations/post-import/post-thread-calls.ts'
import { postImportSteps } from '#server/features/operations/post-import/run-post-import.ts'
import type { PostImport, PostImportItem } from '#shared/contracts/operations/post-imports.ts'
import type { IssueDraft } from '#shared/contracts/publishing/documents.ts'
import { openAdmin } from '#tests/integration/publishing/support.ts'
import { continueRuns } from '#tests/support/continue-runs.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { mp3 } from '#tests/support/test-audio.ts'
import { ghostExport, png, zipOf } from './support.ts'

const desk = openForTests(async () => {
  const admin = await openAdmin()
  return { ...admin, close: () => admin.server.close() }
})

const openFile: typeof openPostThread = async (path, name) => {
  const calls = createPostThreadCalls(path, name)
  return { ...calls, ...(await calls.list()), close: async () => {} }
}

const fileCard = (address: string, title: string) =>
  `<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="${address}"><div class="kg-file-card-title">${title}</div></a></div>`
const audioCard = (address: string, title: string) =>
  `<div class="kg-card kg-audio-card"><audio src="${address}"></audio><div class="kg-audio-title">${title}</div></div>`

test('files and sounds of an export become uploads; the others stay links or words, with a note', async () => {
  const html = [
    '<h2>Files</h2><p>Take them.</p>',
    fileCard('__GHOST_URL__/content/files/2026/plan.pdf', 'The plan'),
    audioCard('__GHOST_URL__/content/media/talk.mp3', 'The talk'),
    fileCard('__GHOST_URL__/content/files/gone.pdf', 'Gone'),
    fileCard('__GHOST_URL__/content/files/script.pdf', 'A script'),
    fileCard('https://127.0.0.1/there.pdf', 'Inside'),
    '<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://a.example/b"><div class="kg-bookmark-title">Fees</div><div class="kg-bookmark-thumbnail"><img src="__GHOST_URL__/content/images/t.png"></div></a></figure>',
  ].join('')
  const zip = await zipOf({
    'export.json': ghostExport([{ html }]),
    'content/files/2026/plan.pdf': '%PDF-1.7',
    'content/files/script.pdf': '#!/bin/sh',
    'content/media/talk.mp3': mp3(65),
    'content/images/t.png': png,
  })
  const { body } = await desk.upload('admin-upload-posts', { name: 'export.zip' }, zip)
  const run = () =>
    continueRuns(desk.server.deps, postImportSteps({ ...desk.server.deps, fetchFile: createFetchFile(), openFile }))
  await run()
  const items = async () =>
    (await desk.get<{ items: PostImportItem[] }>('admin-post-import-items', { id: body.id })).items
  expect((await items())[0]?.notes).toEqual(
    expect.arrayContaining([
      'Images and files to fetch from other servers: 1',
      'Images and files that aren’t in the file: 1. Enter your old site’s address to fetch them',
    ]),
  )
  await desk.get('admin-start-post-import', { id: body.id, publish: false })
  await run()
  expect((await desk.get<{ items: PostImport[] }>('admin-post-imports', {})).items[0]?.status).toBe('finished')
  const [item] = await items()
  const draft = (await desk.read('issue', item?.documentId ?? '')).document as IssueDraft
  expect(draft.sections[0]?.body.replaceAll(/[0-9a-f]{64}/g, 'HASH').split('\n\n')).toEqual([
    'Take them.',
    '[The plan](/files/HASH.pdf "file, PDF, 1 kB")',
    '[The talk](/files/HASH.mp3 "audio, 1:05")',
    'Gone',
    'A script',
    '[Inside](https://127.0.0.1/there.pdf)',
    '> [!BOOKMARK]\n> ![Fees](/media/HASH.png#1x1)\n>\n> [Fees](https://a.example/b)',
  ])
  expect(item?.notes.filter((note) => note.startsWith('File not imported'))).toEqual([
    'File not imported: Gone (it isn’t in the file; add it in the editor). Upload it in the editor',
    expect.stringMatching(/^File not imported: A script \(A file can be a PDF, Word/),
    'File not imported: Inside (the address points to a private network). Upload it in the editor',
  ])
})
