import { Flag, Heart, Pencil, Reply, ThumbsUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { QuietAction } from '#client/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#client/ui/dialog.tsx'
import { FormActions, TextAreaField } from '#client/ui/form.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import { changeCommentCall, markCommentCall, type ReplyItem } from '#shared/contracts/reader/comments.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { CommentForm } from './comment-form.tsx'

type CommentArticleProps = {
  issueId: string
  comment: ReplyItem
  mayPost: boolean
  /** Opens the form for a reply. */
  onReply: () => void
}

/** An answer with the actions of its reader. Deleted and hidden ones with replies are a line of text. */
export function CommentArticle({ issueId, comment, mayPost, onReply }: CommentArticleProps) {
  const { id, state, html, author, isEditor, isOwn, isQuestion, helpful, isHelpful } = comment
  const [open, setOpen] = useState<'edit' | 'delete' | 'report' | null>(null)
  const close = () => setOpen(null)
  const mark = useChange(markCommentCall, { failure: 'That wasn’t saved' })
  const remove = useChange(changeCommentCall, { done: 'Your answer was deleted', failure: 'That wasn’t deleted' })
  if (html === '') {
    return <p className="py-3 text-muted italic">This answer {state === 'deleted' ? 'was deleted' : 'isn’t shown'}.</p>
  }
  const stores = author.stores > 0 && formatCount(author.stores, 'store')
  const thanks = isOwn && helpful > 0 && `${formatCount(helpful, 'reader')} found this helpful`
  const kind = comment.parentId ? 'Reply' : isQuestion ? 'Question' : 'Answer'
  return (
    <article
      id={`answer-${id}`}
      tabIndex={-1}
      aria-label={[`${kind} by ${author.name}`, stores].filter(Boolean).join(', ')}
      className={`scroll-mt-24 py-4 ${isEditor ? 'border-l-3 border-accent pl-4' : ''}`}
    >
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 wrap-anywhere">
        <span className="font-semibold">{author.name}</span>
        {isEditor && <Tag tone="accent">Editor</Tag>}
        {author.isSupporter && (
          <span className="flex items-center gap-1 text-sm text-muted">
            <Heart aria-hidden strokeWidth={1.75} className="size-4 text-accent-ink" />
            Supporter
          </span>
        )}
        {author.worked && <Tag tone="primary">Worked for me</Tag>}
        {isQuestion && <Tag>{comment.isAnswered ? 'Question, answered' : 'Question to the editor'}</Tag>}
        {state !== 'visible' && (
          <Tag tone="danger">{state === 'held' ? 'Waiting for approval' : 'Hidden by the editor'}</Tag>
        )}
      </p>
      <p className="text-sm text-muted wrap-anywhere">
        {[!isEditor && author.trade, stores].filter(Boolean).map((fact) => `${fact} · `)}
        <Timestamp at={comment.at} />
        {[comment.isEdited && 'edited', thanks].filter(Boolean).map((fact) => ` · ${fact}`)}
      </p>
      {open === 'edit' ? (
        <CommentForm
          issueId={issueId}
          edited={comment}
          label="Change your answer"
          action="Save changes"
          onClose={close}
        />
      ) : (
        <TrustedHtml html={html} className="mt-2 measure wrap-anywhere" />
      )}
      <div className="-ml-2.5 flex flex-wrap">
        {mayPost && !isOwn && (
          <QuietAction
            icon={ThumbsUp}
            aria-pressed={isHelpful}
            onClick={() => !mark.isPending && mark.mutate({ id, mark: isHelpful ? 'not-helpful' : 'helpful' })}
          >
            Helpful{helpful > 0 && ` (${helpful})`}
          </QuietAction>
        )}
        {mayPost && state === 'visible' && (
          <QuietAction icon={Reply} aria-label={`Reply to ${author.name}`} onClick={onReply}>
            Reply
          </QuietAction>
        )}
        {mayPost && comment.source !== '' && (
          <QuietAction icon={Pencil} onClick={() => setOpen('edit')}>
            Edit
          </QuietAction>
        )}
        {(isOwn || mayPost) && (
          <QuietAction icon={isOwn ? Trash2 : Flag} onClick={() => setOpen(isOwn ? 'delete' : 'report')}>
            {isOwn ? 'Delete' : 'Report'}
          </QuietAction>
        )}
      </div>
      {open === 'delete' && (
        <ConfirmDialog
          title="Delete your answer?"
          action="Delete"
          onConfirm={() => remove.mutate({ id, text: null })}
          onClose={close}
        >
          The text is gone for everyone. Replies to it stay.
        </ConfirmDialog>
      )}
      {open === 'report' && <ReportDialog id={id} onClose={close} />}
    </article>
  )
}

function ReportDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const report = useChange(markCommentCall, { done: 'Thank you. The editor will look at it.', onSuccess: onClose })
  const handleSubmit = submitHandler(report, (text) => report.mutate({ id, mark: 'report', reason: text('reason') }))
  return (
    <Dialog title="Report this answer" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-4">
        <TextAreaField
          label="What is wrong with it?"
          hint="Only the editor reads this."
          name="reason"
          rows={3}
          required
          maxLength={500}
        />
        <FormActions action="Report" change={report} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
