/** The rules of the games in short, for people. */

import type { Section } from ".";

export const de: Record<string, Section[]> = {
  moon_river: [
    { title: "Worum es geht", text: [
      "Baue aus Dominos eine Ranch am Fluss. Am Ende zählt jedes Gebiet (Felder einer Landschaft, die sich berühren) seine Felder mal seine Kühe.",
      "Nuggets, Biber und Kolben sind je einen Punkt wert. Goldsucher, Trapper und Farmer zählen sie noch einmal.",
    ] },
    { title: "Dein Zug", text: [
      "Du bekommst das Feld unter deinem Ranchero. Mit zwei oder mehr Feldern darfst du je zwei zu einem Domino fügen und bauen, so oft du willst.",
      "Hast du mehr, als in dein Lager passt, musst du bauen; passt nichts, wirfst du zwei Felder ab.",
      "Danach setzt du deinen Ranchero auf ein Feld der nächsten Spalte. Die oberen Plätze spielen in der nächsten Runde zuerst.",
    ] },
    { title: "Wo darf ich bauen?", text: [
      "Beide Hälften liegen auf freien Stellen nebeneinander, nicht auf dem Lager in der Mitte.",
      "Eine Hälfte muss auf einer Brücke liegen oder neben einem Feld gleicher Landschaft, das schon in deiner Ranch liegt. Die beiden Hälften zählen nicht füreinander.",
    ] },
    { title: "Zeichen", text: [
      "Kuh: eine Kuh kommt auf das Feld. Totenkopf: eine Kuh dieses Gebiets geht. Kreis: du wirbst einen Partner aus dem Saloon an.",
      "Mais: dort darf nie eine Kuh stehen.",
    ] },
    { title: "Partner", text: [
      "Desperado: tausche eins deiner Felder gegen eins aus einem anderen Lager. Viehdieb: nimm eine Kuh aus einem Gebiet ohne Partner.",
      "Goldsucher, Trapper, Farmer: ein Punkt für jedes Nugget, jeden Biber, jeden Kolben deiner Ranch.",
      "Jeder Partner kann auch umgedreht liegen: als Cowboy, der Kühe bis zu drei Schritte treibt. Jeder Partner schützt die Kühe seines Gebiets vor Dieben.",
    ] },
    { title: "Das Ende", text: [
      "Sind keine Felder mehr zu ziehen, folgt die letzte Runde. Dann bleibt auf jedem Feld höchstens eine Kuh, und alles wird gezählt.",
    ] },
    { title: "Legenden des Westens", text: [
      "Alle haben eigene Tafeln mit anderen Brücken und Lagern, und ein Szenario gilt für alle: jede Dreiergruppe zählt 10, und 10 mehr für jedes weitere.",
      "Flößerei: Wälder, einer am Fluss. Goldrausch: Felder mit Nuggets. Gesetzlose: Partner, dabei ein Desperado oder Viehdieb. Moon River City: Farmen.",
    ] },
    { title: "Zu zweit", text: [
      "Beide haben zwei Rancheros und eine Ranch mit zehn Reihen. Wer die letzte Reihe erreicht, bekommt ein Bonusplättchen.",
    ] },
  ],
  goldgraeber: [
    { title: "Worum es geht", text: [
      "Grab rund um Golden City nach Gold und bring es nach Hause. Es zählt nur, was im eigenen Haus liegt: Gold nach seinem Wert, gefangene Räuber je 2.",
    ] },
    { title: "Dein Zug", text: [
      "Es wird gewürfelt. Mit 2 bis 6 gehst du genau so viele Felder. Über Goldgräber und Chips darf man gehen, über die Lokomotive nicht, und nie geradewegs zurück.",
      "Zeigt der Würfel die Lokomotive, fährt sie ein Feld weiter; dann gehst du nicht.",
    ] },
    { title: "Wo du ankommst", text: [
      "Auf einem Chip: er wird aufgedeckt. Gold gehört dir und liegt offen vor dir. Ein Räuber kämpft mit dir.",
      "Im eigenen Haus, durch die Tür und mit der genauen Zahl: alles, was du trägst, ist sicher.",
      "Auf einem anderen Goldgräber außerhalb der Stadt: ein Kampf. In der Stadt kämpft niemand.",
    ] },
    { title: "Kämpfe", text: [
      "Gegen einen Räuber würfelst du, bis die Zahl von seiner Stärke abweicht. Höher: du fängst ihn, samt den Chips unter ihm. Niedriger: alles, was du trägst, kommt unter ihn, und du gehst weg.",
      "Gegen einen Goldgräber würfeln beide. Wer höher wirft, nimmt alles, was der andere trägt, und geht weg.",
    ] },
    { title: "Flöße", text: [
      "Ein Floß bringt dich sofort von Ufer zu Ufer seines Sees. Beim nächsten Mal gehst du an Land.",
    ] },
    { title: "Die Lokomotive", text: [
      "Erreicht sie einen Goldgräber, verliert er alle offenen Chips an den, der gewürfelt hat, und wird zurückgeschoben.",
    ] },
    { title: "Das Ende", text: [
      "Das Spiel endet sofort, wenn die Lokomotive die Stadt erreicht oder nicht mehr Chips verdeckt liegen, als Leute mitspielen.",
    ] },
    { title: "Umsehen", text: [
      "Statt zu würfeln, darfst du dir heimlich die Chips neben deinem Goldgräber ansehen. Nur du weißt, was sie sind; alle sehen, wo du hingesehen hast.",
      "Auch wo es nichts Neues zu sehen gibt, darfst du auf den Wurf verzichten, aber nicht in zwei deiner Züge hintereinander.",
    ] },
  ],
};
