/** `node scripts/with-postgres.ts <command …>`: runs the command on a temporary PostgreSQL, in DATABASE_URL. */
import './temporary-files-in-memory.ts'
import { spawnSync } from 'node:child_process'
import { startPostgres } from './postgres.ts'

const [command = '', ...args] = process.argv.slice(2)
const postgres = process.env.DATABASE_URL ? null : await startPostgres()
const env = { ...process.env, DATABASE_URL: process.env.DATABASE_URL ?? postgres?.url }
const result = spawnSync(command, args, { stdio: 'inherit', env })
await postgres?.stop()
process.exit(result.status ?? 1)
