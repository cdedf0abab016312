import { clsx } from 'clsx'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import type { TrustPages } from '#shared/contracts/publishing/trust-pages.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'

export function Editor({ editor, contact }: Pick<TrustPages, 'editor' | 'contact'>) {
  return (
    <div className="measure pt-8 text-lg">
      {editor ? (
        <>
          <h2 className="display text-2xl">{editor.name}</h2>
          {editor.bioHtml && <TrustedHtml html={editor.bioHtml} className="mt-4" />}
        </>
      ) : (
        <p>
          {publication.name} hasn’t named an editor yet. We won’t invent one. Questions and corrections reach the people
          who write it at the address below.
        </p>
      )}
      <h2 className="display mt-10 text-xl">What the editor does</h2>
      <p className="mt-3">
        Each page shows the day it was last checked.
        {hasPage(publication, 'method') && (
          <>
            {' '}
            Read{' '}
            <Link to="/portal/method" className="text-link">
              how we choose, rate and check
            </Link>
            .
          </>
        )}
        {hasPage(publication, 'corrections') && (
          <>
            {' '}
            See every{' '}
            <Link to="/portal/corrections" className="text-link">
              correction
            </Link>{' '}
            since we began to list them.
          </>
        )}
      </p>
      <h2 className="display mt-10 text-xl">Write to us</h2>
      <p className="mt-3">
        <ContactLink to={contact} />
      </p>
    </div>
  )
}

export function ContactLink({ to, className }: { to: string; className?: string }) {
  return (
    <a
      href={`mailto:${to}`}
      className={clsx('text-link inline-flex min-h-11 items-center [overflow-wrap:anywhere]', className)}
    >
      {to}
    </a>
  )
}
