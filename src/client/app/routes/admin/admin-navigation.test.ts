import { expect, test } from 'vitest'
import { staffRoles } from '#shared/domain/staff-roles.ts'
import { adminSections, findAdminPage, sectionsFor } from './admin-navigation.ts'

test.each([
  ['/admin', 'Overview', 'Overview'],
  ['/admin/members', 'Members', 'All members'],
  ['/admin/members/7', 'Members', 'All members'],
  ['/admin/content', 'Content', 'Content'],
  ['/admin/content/drops/a-week', 'Content', 'Weekly drops'],
  ['/admin/tried', 'Content', 'What readers say'],
  ['/admin/newsletter', 'Newsletter', 'Mailings'],
  ['/admin/newsletter/segments', 'Newsletter', 'Segments'],
  ['/admin/newsletter/7/deliveries', 'Newsletter', 'Mailings'],
])('%s belongs to %s, %s', (path, section, page) => {
  const found = findAdminPage(path)
  expect([found?.section.label, found?.page.label]).toEqual([section, page])
})

test('an address outside the sections belongs to none', () => {
  expect(findAdminPage('/admin/elsewhere')).toBeNull()
  expect(findAdminPage('/portal')).toBeNull()
})

test.each(staffRoles)('each link that %s sees leads to a page that the role may use', (role) => {
  for (const { to, pages } of sectionsFor(role)) {
    // The bare address of a section redirects to its first page.
    const targets = [
      pages[0] && adminSections.some((one) => one.to === to) ? pages[0].to : to,
      ...pages.map((page) => page.to),
    ]
    for (const target of targets) expect(findAdminPage(target)?.page.roles, target).toContain(role)
  }
})

test('a viewer sees figures only, and an editor no members and no money', () => {
  const names = (role: 'viewer' | 'editor') => sectionsFor(role).map(({ label }) => label)
  expect(names('viewer')).toEqual(['Overview', 'Money'])
  expect(names('editor')).not.toEqual(expect.arrayContaining(['Members']))
  expect(names('editor')).not.toEqual(expect.arrayContaining(['Money']))
})

test('the deliveries of a mailing show members, so an editor can’t open them', () => {
  expect(findAdminPage('/admin/newsletter/7')?.page.roles).toContain('editor')
  expect(findAdminPage('/admin/newsletter/7/deliveries')?.page.roles).toEqual(['owner', 'support'])
})
