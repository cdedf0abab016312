import { expect, test } from 'vitest'
import { normalizeMailbox } from './normalize-mailbox.ts'

test.each([
  ['Ana.Silva+trial@GMAIL.com', 'anasilva@gmail.com'],
  ['a.n.a.silva@googlemail.com', 'anasilva@gmail.com'],
  ['ana+1@shop.example', 'ana@shop.example'],
  ['ana+1+2@shop.example', 'ana@shop.example'],
  [' ana.silva@shop.example ', 'ana.silva@shop.example'],
  ['+@shop.example', '+@shop.example'],
  ['...@gmail.com', '...@gmail.com'],
  ['no address', 'no address'],
  ['', ''],
])('%j normalizes to the mailbox %j', (email, mailbox) => {
  expect(normalizeMailbox(email)).toBe(mailbox)
})
