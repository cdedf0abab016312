import { expect, test } from 'vitest'
import { mailboxPage } from './mailbox-page.ts'

const sender = 'news+list@example.com'

test('a known provider opens with a search for the sender, and nothing of the reader is in its address', () => {
  const emails = ['ana.secret@gmail.com', 'ana.secret@yahoo.com', 'ana.secret@pm.me', 'ana.secret@hotmail.com']
  const pages = emails.map((email) => mailboxPage(email, sender))
  expect(pages).toEqual([
    {
      name: 'Gmail',
      address: 'https://mail.google.com/mail/u/0/#search/from%3Anews%2Blist%40example.com+in%3Aanywhere',
    },
    { name: 'Yahoo Mail', address: 'https://mail.yahoo.com/d/search/keyword=from%253Anews%2Blist%40example.com' },
    { name: 'Proton Mail', address: 'https://mail.proton.me/u/0/all-mail#from=news%2Blist%40example.com' },
    { name: 'Outlook', address: 'https://outlook.live.com/mail/' },
  ])
  expect(JSON.stringify(pages)).not.toContain('secret')
})

test('capitals in the address don’t matter', () => {
  expect(mailboxPage('Ana@ICloud.com', sender)?.name).toBe('iCloud Mail')
})

test('other domains have no page, nor has one that only ends like a known one', () => {
  for (const email of ['ana@example.com', 'ana@notgmail.com', 'ana@gmail.com.example.com', 'ana', '']) {
    expect(mailboxPage(email, sender)).toBeNull()
  }
})
