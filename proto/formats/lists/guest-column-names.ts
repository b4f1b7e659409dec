import { personColumnNames } from './column-names.ts'

/** Names of columns, folded by `foldColumnName`. A field of a guest without a line here is found by its own name. */
export const guestColumnNames = {
  ...personColumnNames,
  company_name: `company companyname organization organisation employer societe entreprise raisonsociale structure
    organisme firma firmenname unternehmen betrieb organisationfirma firmanaam bedrijf organisatie foretag organisation 会社 会社名 所属 nazwafirmy empresa nombredelaempresa compania organizacion
    azienda societa nomeazienda ragionesociale organizzazione nomedaempresa organizacao`,
  position: `position jobtitle job role function fonction poste intitulededeposte intituleduposte funktion
    stelle berufsbezeichnung stellenbezeichnung beruf functie stanowisko befattning 役職 cargo puesto puestodetrabajo funcion ruolo posizione funzione
    qualifica mansione funcao posicao`,
  phone_number: `phone phonenumber telephone telephonenumber tel mobile mobilephone mobilenumber cell cellphone portable
    numerodetelephone notel telephoneportable telefon telefonnummer mobil handy handynummer mobiltelefon rufnummer telefono
    numerodetelefono movil celular telefonomovil cellphonenumber telefoonnummer telefoon mobielnummer numertelefonu komorka telefonnummer mobilnummer 電話 電話番号 携帯 numeroditelefono cellulare telefone numerodetelefone telemovel`,
  party_size: `partysize groupsize pax headcount persons people noofpersons numberofpersons noofpeople numberofpeople personen
    anzahlpersonen anzahlderpersonen personenzahl personnes nombredepersonnes nbpersonnes personas numerodepersonas persone
    numerodipersone aantalpersonen osoby liczbaosob pessoas numerodepessoas personer antalpersoner 人数`,
  uid: `uid guestuid code guestcode qrcode qr barcode badgenumber ticketnumber ticketcode ticketreference ticketid ticketsecret codebarres codeqr
    numerodebadge numerodebillet strichcode ticketnummer codigo codigoqr codigodebarras codice codiceqr
    codiceabarre codiceinvitato`,
  message: `message welcomemessage checkinmessage messagedaccueil nachricht hinweis begrussung mensaje messaggio
    messaggiodibenvenuto mensagem note notes guestnote guestnotes remark remarks remarque remarques notiz notizen
    bemerkung bemerkungen anmerkung anmerkungen hinweise nota notas observacion observaciones osservazione osservazioni
    observacao observacoes opmerking opmerkingen notitie notities uwaga uwagi notatka notatki anteckning anteckningar
    anmarkning anmarkningar 備考 メモ`,
  rsvp_status: `rsvpstatus rsvp reply attending willyouattend willyoubeattending areyouattending areyoucoming willyoucome
    doyouattend canyouattend reponse participation participezvous serezvouspresent antwort teilnahme zusage
    nehmensieteil kommensie respuesta asistencia asistira risposta partecipazione parteciperai resposta presenca
    aanwezig aanwezigheid odpowiedz obecnosc svar narvaro 出欠 返事`,
  guest_category: `guestcategory guestcategoryname category categoryname guesttype tickettype ticketname ticket type billet categorie
    categoriedinvite typedinvite typedebillet kategorie gastekategorie gasttyp tickettyp categoria categoriadeinvitado
    tipodeinvitado tipodeentrada categoriainvitato tipodiinvitato tipobiglietto categoriadeconvidado tipodeconvidado tipo
    typ カテコリ 区分 kategoria kategori categorie`,
  guest_category_id: 'guestcategoryid categoryid',
} as const
