import { beforeAll, expect, test } from 'vitest'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { check, errorsOf, run, storedMembers, upload } from './support.ts'

const server = openForTests(() => createTestApp())
let admin: TestUser
beforeAll(async () => {
  admin = await buildUser(server, { admin: true, email: 'owner@example.test' })
})

const importFile = async (file: string | Uint8Array) => run(server, admin, await check(server, admin, file))

test('names of object properties and repeated columns are ordinary text', async () => {
  const file = `__proto__,email,name,constructor,email,tags,status
x,ana@proto.test,__proto__,y,other@proto.test,"__proto__,toString",active
x,ben@proto.test,constructor,y,,,__proto__
x,cleo@proto.test,,y,,,constructor
`
  const finished = await importFile(file)
  expect(finished.counts).toMatchObject({ new: 3, refused: 0 })
  expect(await storedMembers(server, 'proto.test')).toMatchObject([
    { email: 'ana@proto.test', name: '__proto__', tags: ['__proto__', 'tostring'] },
    { email: 'ben@proto.test', getsEmail: false },
    { email: 'cleo@proto.test', getsEmail: false },
  ])
})

test('formulas stay text, and the list of refused lines doesn’t run them', async () => {
  const finished = await importFile('email,name\n"=HYPERLINK(""http://x"")",Ana\n@SUM(A1),Ben\nf@formula.test,=1+1\n')
  expect(finished.counts).toMatchObject({ new: 1, refused: 2 })
  const cells = (await errorsOf(server, admin, finished)).map((line) => line.split('","')[1])
  for (const cell of cells) expect(cell).toMatch(/^'[=@]/)
})

test('a cell of a million characters costs its line, or is refused at the start', async () => {
  const long = 'x'.repeat(1_000_000)
  const before = Array.from({ length: 5 }, (_, n) => `m${n}@long.test,Ana\n`).join('')
  expect((await importFile(`email,name\n${before}n@long.test,${long}\nz@long.test,Zoe\n`)).counts).toMatchObject({
    new: 6,
    refused: 1,
  })
  expect((await upload(server, admin, `email,${long}\na@long.test,x\n`)).status).toBe(400)
})

test('characters cut in half, null characters and surrogates don’t stop an import', async () => {
  const smileys = `x${'😀'.repeat(1_500)}`
  const file = `email,name,tags,notes,city
a@half.test,${smileys},${smileys},${smileys},${smileys}
${smileys}@half.test,Ben,,,
b@half.test,a\u0000b,,,
`
  expect(await importFile(file)).toMatchObject({ status: 'finished', counts: { new: 2, refused: 1 } })
  const lone = Buffer.from('\ufeffemail,name\r\nc@half.test,x\ud83d\r\n', 'utf16le')
  expect(await importFile(lone)).toMatchObject({ status: 'finished', counts: { new: 1 } })
})

test('many lines of one column without addresses are all refused', async () => {
  const lines = Array.from({ length: 5_000 }, (_, n) => `n${n}`).join('\n')
  expect((await importFile(`email\n${lines}\n`)).counts).toMatchObject({ new: 0, refused: 5_000 })
})
