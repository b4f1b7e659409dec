import { personColumnNames } from './column-names.ts'

/** Names of columns in six languages, folded by `foldColumnName`. A field of a guest without a line here is found by its own name. */
export const guestColumnNames = {
  ...personColumnNames,
  company_name: `company companyname organization organisation employer societe entreprise raisonsociale structure
    organisme firma firmenname unternehmen betrieb organisationfirma empresa nombredelaempresa compania organizacion
    azienda societa nomeazienda ragionesociale organizzazione nomedaempresa organizacao`,
  position: `position jobtitle title job role function fonction poste titre intitulededeposte intituleduposte funktion
    stelle berufsbezeichnung stellenbezeichnung beruf cargo puesto puestodetrabajo funcion ruolo posizione funzione
    qualifica mansione funcao posicao`,
  phone_number: `phone phonenumber telephone telephonenumber tel mobile mobilephone mobilenumber cell cellphone portable
    numerodetelephone notel telephoneportable telefon telefonnummer mobil handy handynummer mobiltelefon rufnummer telefono
    numerodetelefono movil celular telefonomovil numeroditelefono cellulare telefone numerodetelefone telemovel`,
  uid: `uid guestuid code guestcode qrcode qr barcode badgenumber ticketnumber ticketcode ticket codebarres codeqr
    numerodebadge numerodebillet billet strichcode ticketnummer codigo codigoqr codigodebarras codice codiceqr
    codiceabarre codiceinvitato`,
  message: `message welcomemessage checkinmessage messagedaccueil nachricht hinweis begrussung mensaje messaggio
    messaggiodibenvenuto mensagem`,
  rsvp_status: 'rsvpstatus rsvp',
  guest_category: `guestcategory guestcategoryname category categoryname guesttype tickettype type categorie
    categoriedinvite typedinvite typedebillet kategorie gastekategorie gasttyp tickettyp categoria categoriadeinvitado
    tipodeinvitado tipodeentrada categoriainvitato tipodiinvitato tipobiglietto categoriadeconvidado tipodeconvidado tipo
    typ`,
  guest_category_id: 'guestcategoryid categoryid',
} as const
