import { topic } from '@gatehouse/proto/declaring/topic.ts'

/** Confirmations may be due. The text is empty. */
export const confirmations = topic('confirmations')
