/** Returns the contents of the QR codes in what a video shows. */
export type Detect = (video: HTMLVideoElement) => Promise<string[]>
