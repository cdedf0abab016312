import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  endShareLinkCall,
  type ShareableKind,
  type ShareLink,
  shareItemCall,
  shareLinkHours,
  shareLinksCall,
} from '#shared/contracts/reader/sharing.ts'

type ShareableItem = { kind: ShareableKind; id: string; title: string }

/** The reader's links that still work, and the name that they may show. */
const shareLinksQuery = alwaysStaleQuery(['share-links'], shareLinksCall, {})

type ShareDialogProps = { item: ShareableItem; onClose: () => void }

/** Creates a link to one section or prompt, and ends earlier ones. */
export default function ShareDialog({ item, onClose }: ShareDialogProps) {
  const { kind, id } = item
  const { data } = useQuery(shareLinksQuery)
  const share = useChange(shareItemCall)
  const [showsBusiness, setShowsBusiness] = useState(false)
  const created = share.data
  const earlier = data?.links.filter(
    (link) => link.kind === kind && link.id === id && link.linkId !== created?.link.linkId,
  )
  return (
    <Dialog
      title={`Share this ${item.kind} with your ${item.kind === 'receipt' ? 'partner' : 'staff'}`}
      onClose={onClose}
    >
      <p className="mt-1 font-semibold [overflow-wrap:anywhere]">{item.title}</p>
      <p className="mt-2 text-muted">
        Anyone with the link can read this {item.kind} for {shareLinkHours} hours, without an account. They can’t see
        anything else.
      </p>
      {created ? (
        <CreatedLink url={created.url} title={item.title} />
      ) : (
        <>
          {data?.businessName && (
            <Choice
              type="checkbox"
              className="mt-5"
              label={`Show that it’s from ${data.businessName}`}
              description="Otherwise the page says “A member”."
              checked={showsBusiness}
              onChange={({ target }) => setShowsBusiness(target.checked)}
            />
          )}
          <FormError>{formErrorMessage(share.error)}</FormError>
          <Button
            className="mt-5"
            block
            pending={share.isPending}
            onClick={() => share.mutate({ kind, id, showsBusiness })}
          >
            Create link
          </Button>
        </>
      )}
      {earlier && earlier.length > 0 && <EarlierLinks links={earlier} />}
    </Dialog>
  )
}

function CreatedLink({ url, title }: { url: string; title: string }) {
  const canShare = typeof navigator.share === 'function'
  // Closing the share sheet rejects, which needs no message.
  const handleShare = () => void navigator.share({ title, url }).catch(() => undefined)
  return (
    <div className="mt-5 grid gap-3">
      <TextField label="Link" value={url} readOnly onFocus={({ target }) => target.select()} />
      <div className="flex flex-wrap gap-3">
        {canShare && (
          <Button onClick={handleShare}>
            <Share2 aria-hidden className="size-4" strokeWidth={1.75} />
            Share link
          </Button>
        )}
        <CopyButton text={url} what={`link to ${title}`} variant={canShare ? 'secondary' : 'primary'} size="md" />
      </div>
    </div>
  )
}

function EarlierLinks({ links }: { links: readonly ShareLink[] }) {
  const end = useChange(endShareLinkCall)
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">Links that still work</h3>
      <ul className="mt-1">
        {links.map(({ linkId, createdAt, expiresAt }) => (
          <li key={linkId} className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line py-1.5">
            <span className="text-sm text-muted">
              Created <Timestamp at={createdAt} inline />, ends <Timestamp at={expiresAt} inline />
            </span>
            <Button
              variant="quiet"
              size="sm"
              pending={end.isPending && end.variables.linkId === linkId}
              onClick={() => end.mutate({ linkId })}
            >
              End link
            </Button>
          </li>
        ))}
      </ul>
      <FormError>{formErrorMessage(end.error)}</FormError>
    </section>
  )
}
