/** Report emails as receiving servers send them, each about the email with this Message-ID. */
export type About = { messageId: string; to?: string; from?: string }

const crlf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))
const recipient = 'mia@example.test'

const returned = ({ messageId }: About) => `Return-Path: <newsletter@frontcounter.test>
From: Front Counter <newsletter@frontcounter.test>
To: ${recipient}
Subject: Three replies that win back a guest
Message-ID: ${messageId}
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
`

type Status = { code?: string; action?: string; diagnosis?: string; finalRecipient?: string }

/** Postfix: three parts, with the original's headers at the end. */
export const postfix = (about: About, status: Status = {}) => {
  const { code = '5.1.1', action = 'failed', finalRecipient = recipient } = status
  const {
    diagnosis = `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown in\n    virtual mailbox table`,
  } = status
  return crlf(`Return-Path: <>
Date: Mon,  2 Mar 2026 10:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.example.test (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${about.to ?? 'newsletter@frontcounter.test'}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4FaBc1.1772445600/mx.example.test"
Message-Id: <20260302100000.4FaBc2@mx.example.test>

This is a MIME-encapsulated message.

--4FaBc1.1772445600/mx.example.test
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.test.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

--4FaBc1.1772445600/mx.example.test
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.test
X-Postfix-Queue-ID: 4FaBc1
X-Postfix-Sender: rfc822; newsletter@frontcounter.test
Arrival-Date: Mon,  2 Mar 2026 09:59:58 +0000 (UTC)

Final-Recipient: rfc822; ${finalRecipient}
Original-Recipient: rfc822;${finalRecipient}
Action: ${action}
Status: ${code}
Remote-MTA: dns; mail.example.test
Diagnostic-Code: smtp; ${diagnosis}

--4FaBc1.1772445600/mx.example.test
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

${returned(about)}
--4FaBc1.1772445600/mx.example.test--
`)
}

/** Microsoft: an HTML part first, and the complete original. */
export const exchange = (about: About) =>
  crlf(`From: <postmaster@example.onmicrosoft.com>
To: <newsletter@frontcounter.test>
Date: Mon, 2 Mar 2026 10:00:01 +0000
Content-Type: multipart/report; report-type=delivery-status;
	boundary="_6f9dc1b5-3f45-4c70-a3a0-DM6PR01"
Content-Language: en-US
Message-ID: <a1b2c3d4-e5f6@DM6PR01.prod.example.com>
In-Reply-To: ${about.messageId}
References: ${about.messageId}
Subject: Undeliverable: Three replies that win back a guest
Auto-Submitted: auto-replied
MIME-Version: 1.0

--_6f9dc1b5-3f45-4c70-a3a0-DM6PR01
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="_7a8dc1b5-3f45-4c70-a3a0-DM6PR01"

--_7a8dc1b5-3f45-4c70-a3a0-DM6PR01
Content-Type: text/plain; charset="us-ascii"
Content-Transfer-Encoding: quoted-printable

Your message to mia@example.test couldn't be delivered. mia wasn't found at exa=
mple.test.

--_7a8dc1b5-3f45-4c70-a3a0-DM6PR01--

--_6f9dc1b5-3f45-4c70-a3a0-DM6PR01
Content-Type: message/delivery-status

Reporting-MTA: dns;DM6PR01.prod.example.com
Received-From-MTA: dns;mail.frontcounter.test
Arrival-Date: Mon, 2 Mar 2026 10:00:00 +0000

Original-Recipient: rfc822;mia@example.test
Final-Recipient: rfc822;mia@example.test
Action: failed
Status: 5.1.10
Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup

--_6f9dc1b5-3f45-4c70-a3a0-DM6PR01
Content-Type: message/rfc822

${returned(about)}
The original text.

--_6f9dc1b5-3f45-4c70-a3a0-DM6PR01--
`)

/** qmail and old gateways: plain text, with the original below it. */
export const inWords = (about: About) =>
  crlf(`Return-Path: <>
From: MAILER-DAEMON@old.example.test
To: ${about.to ?? 'newsletter@frontcounter.test'}
Subject: failure notice
Date: 2 Mar 2026 10:00:00 -0000

Hi. This is the qmail-send program at old.example.test.
I'm afraid I wasn't able to deliver your message to the following addresses.

<mia@example.test>:
Sorry, I couldn't find any host by that name.

--- Below this line is a copy of the message.

${returned(about)}
`)

export const outOfOffice = (about: About) =>
  crlf(`From: Mia <mia@example.test>
To: ${about.to ?? 'newsletter@frontcounter.test'}
Subject: Out of office: Three replies that win back a guest
Auto-Submitted: auto-replied
In-Reply-To: ${about.messageId}
Date: Mon, 2 Mar 2026 10:00:00 +0000

I am back on Monday.
`)

/** Feedback loops (RFC 5965). */
export const complaint = (about: About, type = 'abuse') =>
  crlf(`From: <feedback@feedback.example.test>
To: <fbl@frontcounter.test>
Date: Mon, 2 Mar 2026 10:00:00 +0000
Subject: FW: Three replies that win back a guest
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report;
	boundary="part1_13d.2e68ed54_boundary"

--part1_13d.2e68ed54_boundary
Content-Type: text/plain; charset="US-ASCII"
Content-Transfer-Encoding: 7bit

This is an email abuse report for an email message received from IP 192.0.2.1.

--part1_13d.2e68ed54_boundary
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1
Original-Mail-From: <newsletter@frontcounter.test>
Arrival-Date: Mon, 2 Mar 2026 09:00:00 +0000
Source-IP: 192.0.2.1
Reported-Domain: frontcounter.test

--part1_13d.2e68ed54_boundary
Content-Type: message/rfc822
Content-Disposition: inline

${returned(about).replaceAll(recipient, 'redacted@example.test')}
The original text.

--part1_13d.2e68ed54_boundary--
`)
