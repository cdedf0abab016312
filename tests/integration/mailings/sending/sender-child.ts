/** A process that sends emails until it is killed: database in DATABASE_URL or DATA_DIR, mail server in SMTP_URL. */
import { inArray } from 'drizzle-orm'
import { openDatabase } from '#server/db/open-database.ts'
import { mailings } from '#server/db/schema/index.ts'
import { startSender } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { sendingDeps, smtpNewsletterMailer } from './support.ts'

const { DATABASE_URL: url, DATA_DIR: directory = '', SMTP_URL: smtp = '' } = process.env
const database = await openDatabase(url ? { kind: 'postgres', url, poolSize: 5 } : { kind: 'pglite', directory })
await startSender(sendingDeps(database, smtpNewsletterMailer(smtp)), {
  idleMs: 20,
  staleAfterMs: 1_500,
  retryPausesMs: [0, 0, 0, 0],
})
console.log('ready')
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  const open = await database.db
    .select({ id: mailings.id })
    .from(mailings)
    .where(inArray(mailings.status, ['scheduled', 'preparing', 'sending']))
    .catch(() => ['the database is away'])
  if (open.length === 0) break
}
console.log('done')
