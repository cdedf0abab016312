import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort, untilReachable } from './ports.ts'
import { openRoot, type Root } from './root.ts'

export const mailboxes = ['reader', 'replies', 'bounces']
export const password = 'a quiet # corner / table'

export type MailServer = {
  title: string
  ports: { smtp: number; imap: number }
  /** The first email that arrived for a user; empty if none did. */
  readMaildir(user: string): Promise<string>
  root: Root
  hasSpamAssassin: boolean
}

/** Users with maildirs below /var/vmail, and a certificate for localhost that this process trusts. */
async function prepare(root: Root) {
  await root.run(`useradd -u 5000 vmail; cd /etc && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \\
    -addext subjectAltName=DNS:localhost -keyout key.pem -out cert.pem && cat key.pem cert.pem > both.pem
    for name in ${mailboxes.join(' ')}; do mkdir -p /var/vmail/$name/cur /var/vmail/$name/new /var/vmail/$name/tmp; done
    chown -R vmail: /var/vmail && chmod 644 key.pem`)
  setDefaultCACertificates([...getCACertificates(), await root.run('cat /etc/cert.pem')])
  return { smtp: await freePort(), imap: await freePort() }
}

const readMaildir = (root: Root) => (user: string) =>
  root.run(`find /var/vmail/${user}/new /var/vmail/${user}/cur -type f | head -n 1 | xargs -r cat`)

const dovecot = (port: number) => `protocols = imap
listen = 127.0.0.1
log_path = /var/log/dovecot.log
mail_location = maildir:/var/vmail/%n
ssl_cert = </etc/cert.pem
ssl_key = </etc/key.pem
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%n /etc/dovecot/users
}
userdb {
  driver = static
  args = uid=vmail gid=vmail home=/var/vmail/%n
}
service imap-login {
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service auth {
  unix_listener /var/spool/postfix/private/auth {
    mode = 0666
  }
}
`

const postfix = (port: number, more: Record<string, string>) => {
  const settings = {
    myhostname: 'mail.test',
    mydestination: '',
    inet_interfaces: 'loopback-only',
    inet_protocols: 'ipv4',
    maillog_file: '/var/log/postfix.log',
    virtual_mailbox_domains: 'mail.test',
    recipient_delimiter: '+',
    smtpd_reject_unlisted_recipient: 'no',
    smtpd_relay_restrictions: 'permit_sasl_authenticated,reject',
    smtpd_sasl_auth_enable: 'yes',
    smtpd_tls_auth_only: 'yes',
    smtpd_tls_security_level: 'may',
    smtpd_tls_cert_file: '/etc/cert.pem',
    smtpd_tls_key_file: '/etc/key.pem',
    ...more,
  }
  const lines = Object.entries(settings).map(([name, value]) => `'${name}=${value}'`)
  return `echo compatibility_level=3.7 > /etc/postfix/main.cf; postconf -e ${lines.join(' ')}
    postconf -M# smtp/inet; postconf -M '127.0.0.1:${port}/inet=127.0.0.1:${port} inet n - n - - smtpd'`
}

async function startPostfix(root: Root, ports: MailServer['ports']) {
  await root.write('/etc/dovecot/dovecot.conf', dovecot(ports.imap))
  await root.write('/etc/dovecot/users', mailboxes.map((name) => `${name}:{PLAIN}${password}\n`).join(''))
  await root.write('/etc/postfix/boxes', mailboxes.map((name) => `${name}@mail.test ${name}/\n`).join(''))
  await root.run(
    postfix(ports.smtp, {
      virtual_mailbox_base: '/var/vmail',
      virtual_mailbox_maps: 'texthash:/etc/postfix/boxes',
      virtual_uid_maps: 'static:5000',
      virtual_gid_maps: 'static:5000',
      smtpd_sasl_type: 'dovecot',
      smtpd_sasl_path: 'private/auth',
    }),
  )
  root.start('dovecot -F')
  root.start('postfix start-fg')
  return `Postfix ${await root.version('postfix')} with Dovecot ${await root.version('dovecot-core')}`
}

const exim = (port: number) => `primary_hostname = mail.test
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
tls_advertise_hosts = *
tls_certificate = /etc/cert.pem
tls_privatekey = /etc/key.pem
auth_advertise_hosts = \${if eq{$tls_in_cipher}{}{}{*}}
acl_smtp_rcpt = check_recipient
begin acl
check_recipient:
  accept authenticated = *
begin routers
mailbox:
  driver = accept
  domains = mail.test
  local_part_suffix = +*
  local_part_suffix_optional
  local_parts = ${mailboxes.join(':')}
  transport = maildir
begin transports
maildir:
  driver = appendfile
  directory = /var/vmail/$local_part_data
  maildir_format
  return_path_add
  user = vmail
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if eq{$auth3}{${password}}}
  server_set_id = $auth2
`

async function startExim(root: Root, ports: MailServer['ports']) {
  await root.write('/etc/exim4/exim4.conf', exim(ports.smtp))
  const hash = (await root.run(`openssl passwd -1 '${password}'`)).trim()
  const box = (name: string) =>
    `${name}\tuid=5000|gid=5000|home=/var/vmail/${name}|mail=/var/vmail/${name}|imappw=${hash}\n`
  await root.write('/etc/courier/userdb', mailboxes.map(box).join(''))
  await root.run(`cd /etc/courier && chmod 600 userdb && makeuserdb && cp ../both.pem imapd.pem && mkdir -p /run/courier/authdaemon
    sed -i 's/^authmodulelist=.*/authmodulelist="authuserdb"/' authdaemonrc
    sed -i 's/^ADDRESS=.*/ADDRESS=127.0.0.1/; s/^PORT=.*/PORT=${ports.imap}/' imapd
    authdaemond start && imapd start`)
  root.start('exim4 -bdf -q10s')
  return `Exim ${await root.version('exim4-base')} with Courier ${await root.version('courier-imap')}`
}

/** Each waits until both of its ports answer. */
export const mailServers = [
  () => open(['postfix', 'dovecot-imapd', 'openssl', 'spamassassin'], startPostfix),
  () => open(['exim4-daemon-light', 'courier-imap', 'courier-authlib-userdb', 'openssl'], startExim),
]

async function open(
  packages: readonly string[],
  start: (root: Root, ports: MailServer['ports']) => Promise<string>,
): Promise<MailServer> {
  const root = await openRoot(...packages)
  try {
    const ports = await prepare(root)
    const title = await start(root, ports)
    for (const port of Object.values(ports)) await untilReachable(port, 20_000)
    return { title, ports, readMaildir: readMaildir(root), root, hasSpamAssassin: packages.includes('spamassassin') }
  } catch (error) {
    await root.close()
    throw error
  }
}
