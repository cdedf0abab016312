import { inspect, inspectState } from './support/inspect.ts'
import { expect, test } from './support/test.ts'

test('A publisher brings posts from Ghost, and takes everything out as an archive', async ({ page, loginAs }) => {
  const unique = `${process.pid}${Date.now().toString(36)}`
  const post = (name: string, html: string, given: object = {}) => ({
    id: `${unique}-${name}`,
    title: `${name} ${unique}`,
    slug: `${name}-${unique}`.toLowerCase(),
    html,
    type: 'post',
    status: 'published',
    published_at: '2025-06-30 15:35:36',
    ...given,
  })
  const posts = [
    post('Tills', '<p>Count the till.</p><h2>Twice</h2><p>Before and after.</p><script>track()</script>'),
    post('Rosters', '<p>Later.</p><p>Much later.</p>', { status: 'draft', published_at: null }),
    post('Broken', '<div>'.repeat(500)),
  ]
  await loginAs('admin')
  await page.goto('/admin/content/import')
  await expect(page.getByRole('button', { name: 'Choose file' })).toBeVisible()
  await page.getByLabel('File with posts').setInputFiles({
    name: 'ghost-export.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ db: [{ meta: {}, data: { posts, tags: [], posts_tags: [] } }] })),
  })
  await expect(page.getByText('2 posts can be imported. 1 post can’t be imported.')).toBeVisible({ timeout: 30_000 })
  const list = page.getByRole('list', { name: 'Posts of the file' })
  await expect(list.getByText('Removed: a script')).toBeVisible()
  await expect(list.getByText('Its HTML is nested too deeply')).toBeVisible()
  await inspect(page, 'post-import-checked')
  await page.setViewportSize({ width: 360, height: 780 })
  await page.getByRole('button', { name: 'Import 2 posts' }).click()
  await expect(page.getByText('Done: 2 posts imported, 0 of them published. 1 post can’t be imported.')).toBeVisible({
    timeout: 30_000,
  })
  await expect(list.getByRole('link', { name: `Tills ${unique}` })).toBeVisible()
  await inspectState(page, 'post-import-done')

  await page.goto('/admin/settings/export')
  await expect(page.getByText('Take everything with you')).toBeVisible()
  await page.getByRole('button', { name: 'Create archive' }).click()
  const newest = page.getByRole('list', { name: 'Archives' }).getByRole('listitem').first()
  await expect(newest.getByRole('button', { name: 'Download' })).toBeVisible({ timeout: 60_000 })
  await inspect(page, 'export')
  const downloading = page.waitForEvent('download')
  await newest.getByRole('button', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^archive-\d{4}-\d\d-\d\d\.zip$/)
})
