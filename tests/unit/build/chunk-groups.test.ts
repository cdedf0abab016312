import { expect, test } from 'vitest'
import { chunkGroups, type ModuleInfo } from '../../../scripts/build/chunk-groups.ts'

const app = '/x/src/client/app'
const routes = `${app}/routes`

/** The name of a module's chunk; `imports` lists who imports it, and pages are imported by the entry when they open. */
function chunkOf(id: string, imports: Record<string, readonly string[]>) {
  const entry = `${app}/entry-client.tsx`
  const getModuleInfo = (of: string): ModuleInfo => ({
    isEntry: of === entry,
    importers: imports[of] ?? [],
    dynamicImporters: /routes\/|layouts\/members|dialog|guide-vote|start-offline/.test(of) ? [`${app}/routes.tsx`] : [],
  })
  return chunkGroups().flatMap(({ name }) => name(id, { getModuleInfo }) ?? [])[0]
}
const page = (path: string) => `${routes}/${path}.tsx`
const sharedBy = (...pages: string[]) => chunkOf('/x/shared.ts', { '/x/shared.ts': pages.map(page) })

test('what the entry imports is one chunk', () => {
  expect(chunkOf('/x/lib.ts', { '/x/lib.ts': [`${app}/entry-client.tsx`] })).toBe('own')
})

test('what two tabs of the portal share is loaded with the frame, what one page needs comes with the page', () => {
  expect(sharedBy('portal/guides', 'portal/tools')).toBe('member')
  expect(chunkOf('/x/shared.ts', { '/x/shared.ts': [`${app}/layouts/members-layout.tsx`] })).toBe('member')
  expect(sharedBy('portal/guides')).toBe('tab-guides')
})

test('code that a tab shares with the admin is loaded with that tab alone', () => {
  expect(sharedBy('portal/guides', 'admin/content')).toBe('tab-guides')
})

test('the tabs without prompts do not load what fills them in', () => {
  expect(sharedBy('portal/prompt-packs', 'portal/weekly-drop')).toBe('prompts')
  expect(sharedBy('portal/prompt-packs', 'portal/weekly-drop', 'portal/tools')).toBe('member')
})

test('pages that are only text share a chunk of their own', () => {
  expect(sharedBy('portal/method', 'portal/safety')).toBe('texts-shared')
})

test('no page of the portal loads what only account, admin and public pages share', () => {
  expect(sharedBy('account/profile', 'auth')).toBe('forms')
  expect(sharedBy('admin/members', 'admin/member')).toBe('admin-shared')
  expect(sharedBy('account/profile', 'account/data')).toBe('account-shared')
})

test('parts that readers’ pages load without a tap share nothing with chunks of other pages', () => {
  const parts = ['lib/offline/start-offline-support.ts', 'features/reader/feedback/guide-vote.tsx']
  for (const part of parts.map((path) => `/x/src/client/${path}`)) {
    const sharedWith = (...pages: string[]) => {
      const shared = '/x/shared.ts'
      const importers = { [shared]: [part, ...pages.map(page)] }
      return chunkOf(shared, importers)
    }
    expect(sharedWith('account/email', 'onboarding-wizard')).toBe('parts')
    expect(sharedWith('admin/members', 'admin/member')).toBe('parts')
    expect(sharedWith('account/email')).toBeUndefined()
  }
})

test('only pages with a Markdown editor load it', () => {
  const field = '/x/src/client/features/publishing/documents/markdown-field.tsx'
  const view = '/x/node_modules/prosemirror-view/dist/index.js'
  const imports = { [view]: [field], [field]: [page('admin/document'), page('admin/mailing')] }
  expect(chunkOf(view, imports)).toBe('editor')
  expect(chunkOf(field, imports)).toBe('editor')
})

test('the landing page loads nothing that only it and a dialog of another page would need', () => {
  const landing = page('landing')
  expect(chunkOf('/x/shared.ts', { '/x/shared.ts': [landing, '/x/a-dialog.tsx'] })).toBeUndefined()
  expect(chunkOf('/x/shared.ts', { '/x/shared.ts': ['/x/a-dialog.tsx', '/x/b-dialog.tsx'] })).toBeUndefined()
})

test('what the landing page shares with pages outside the portal is no script of the portal', () => {
  expect(sharedBy('landing', 'account/billing')).toBe('landing')
  expect(sharedBy('landing', 'portal/tools')).toBe('own')
})
