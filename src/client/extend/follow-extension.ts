import { countImages, type ImageQuestion } from '../../db/image-checks.repo.ts'
import { countValues, type ValueQuestion } from '../../db/item-values.repo.ts'
import { serviceWaitTexts } from '../match/domain-wait.ts'
import { followWorkflow } from '../match/follow-workflow.ts'
import type { MatchContext } from '../match/match-context.ts'
import type { ExtensionHandle } from './start-extension.ts'

/** Shows how far an extension is until it has ended, or until Ctrl-C, which leaves it going. */
export async function followExtension(
  context: MatchContext,
  handle: ExtensionHandle,
  question: ValueQuestion,
  images: ImageQuestion | null,
): Promise<'ended' | 'left'> {
  const end = await followWorkflow(context, handle, async () => {
    const { items, missing } = await countValues(context.db, question)
    const wait = await serviceWaitTexts(context, question.service)
    const done = [`${items - missing}/${items} items asked`]
    if (images !== null && missing === 0) {
      const counts = await countImages(context.db, images)
      done.push(`${counts.images - counts.unchecked}/${counts.images} images looked for`)
    }
    return { text: [...done, ...wait].join(' · ') }
  })
  return end === 'left' ? 'left' : 'ended'
}
