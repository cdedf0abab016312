import { buildDraft } from './build-draft.ts'
import { convertPost } from './convert-post.ts'
import { openPostFile } from './open-post-file.ts'
import type { PostThreadCalls } from './open-post-thread.ts'
import { createOwnLinks, PostFileError } from './source-post.ts'

/** Functions that a thread runs on its file. */
export function createPostThreadCalls(path: string, name: string): PostThreadCalls {
  const opened = openPostFile(path, name)
  // Each request reports the failure.
  opened.catch(() => {})
  const ownLinks = opened.then(({ posts }) => createOwnLinks(posts))
  ownLinks.catch(() => {})
  const postAt = async (position: number) => {
    const post = (await opened).posts[position]
    if (!post) throw new PostFileError('The file has changed')
    return post
  }
  return {
    async list() {
      const { source, posts } = await opened
      return { source, posts: posts.map(({ read: _, readComments: __, ...post }) => post) }
    },
    convert: async (position) => convertPost(await postAt(position), await ownLinks),
    build: async (publication, position, parts, timeZone) =>
      buildDraft(publication, await postAt(position), parts, timeZone),
    comments: async (position) => (await postAt(position)).readComments?.() ?? [],
    readImage: async (address, folder) => (await opened).readImage(address, folder),
  }
}
