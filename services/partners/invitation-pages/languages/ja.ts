import type { Texts } from './en.ts'

/** The texts of the pages in Japanese. */
export const ja: Texts = {
  colon: '：',
  error: 'エラー',
  nothing: 'このページは存在しません',
  nothing_text: 'メールに記載されたリンクをそのまま開いてください。',
  invites: '{partner}からの招待です。',
  answer_to: 'お返事は、メールへの返信または{address}宛てにお願いします。',
  answer: 'お返事は{partner}までご連絡ください。',
  accept: '参加する',
  decline: '欠席する',
  accepted: '参加のお返事をいただきました。',
  declined: '欠席のお返事をいただきました。',
  qrcode: 'QRコード',
  final: 'イベントが始まったため、お返事を変更できません。',
  no_answer: 'この招待にはここではお返事いただけません。',
  withdrawn: 'この招待は無効になりました。',
  unsubscribe: '配信停止',
  unsubscribe_text: '{title}への招待メールは今後届かなくなります。',
  unsubscribed: '配信を停止しました',
  unsubscribed_text: '{title}への招待メールは今後送信されません。',
}
